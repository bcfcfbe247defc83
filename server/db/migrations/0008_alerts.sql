CREATE TABLE "alerts" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"feed" text NOT NULL,
	"instrument_id" integer NOT NULL,
	"code" text NOT NULL,
	"precision" integer NOT NULL,
	"price" numeric NOT NULL,
	"waits" text NOT NULL,
	"above" boolean NOT NULL,
	"repeat" boolean NOT NULL,
	"note" text NOT NULL,
	"until" timestamp (3) with time zone,
	"ended" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"triggered_at" timestamp (3) with time zone,
	"trigger_price" numeric DEFAULT '0' NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"subject" integer NOT NULL,
	"code" text NOT NULL,
	"price" numeric NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_waiting" ON "alerts" USING btree ("id") WHERE not "alerts"."ended";--> statement-breakpoint
CREATE INDEX "alerts_of_user" ON "alerts" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notices_of_user" ON "notices" USING btree ("user_id","id" DESC NULLS LAST);