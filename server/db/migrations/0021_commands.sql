CREATE TABLE "commands" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"details" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "commands_context" ON "commands" USING btree ("id") WHERE "commands"."kind" in ('base', 'start', 'terms');