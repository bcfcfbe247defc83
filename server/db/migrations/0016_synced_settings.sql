CREATE TABLE "settings_fields" (
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"field" text NOT NULL,
	"value" text,
	"revision" integer NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settings_fields_user_id_name_field_pk" PRIMARY KEY("user_id","name","field")
);
--> statement-breakpoint
CREATE TABLE "settings_revisions" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settings_fields" ADD CONSTRAINT "settings_fields_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings_revisions" ADD CONSTRAINT "settings_revisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settings_fields_revision" ON "settings_fields" USING btree ("user_id","revision");