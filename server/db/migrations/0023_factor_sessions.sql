ALTER TABLE "second_factors" ADD COLUMN "last_session" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "second_factors" SET "last_session" = coalesce((SELECT max("id") FROM "sessions" WHERE "sessions"."user_id" = "second_factors"."user_id"), 0);
