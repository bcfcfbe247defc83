CREATE TABLE "settings_writes" (
	"user_id" integer NOT NULL,
	"device" uuid NOT NULL,
	"number" integer NOT NULL,
	"fingerprint" text NOT NULL,
	"revision" integer NOT NULL,
	"replaced" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settings_writes_user_id_device_pk" PRIMARY KEY("user_id","device")
);
--> statement-breakpoint
ALTER TABLE "settings_writes" ADD CONSTRAINT "settings_writes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;