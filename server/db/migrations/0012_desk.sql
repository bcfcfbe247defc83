CREATE TABLE "desk_actions" (
	"id" serial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"uid" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"result" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "logged_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "locked_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "desk_actions_user" ON "desk_actions" USING btree ("uid","id");--> statement-breakpoint
-- Reviews that were decided before, by whom is not known. Their ids are negative, so that an engine can still give the new sequence its range.
INSERT INTO "desk_actions" ("id", "at", "operator", "action", "subject", "uid", "reason", "result")
SELECT -row_number() OVER (ORDER BY "at"), "at", '', "action", "subject", "uid", "reason", "result" FROM (
	SELECT "reviewed_at" AS "at", CASE "status" WHEN 'finished' THEN 'approve' WHEN 'invalid' THEN 'invalid' ELSE 'reject' END AS "action",
		'deposit ' || "deposits"."id" AS "subject", "uid", "remark" AS "reason",
		CASE "status" WHEN 'finished' THEN 'approved.' WHEN 'invalid' THEN 'invalid.' ELSE 'rejected.' END AS "result"
	FROM "deposits" JOIN "users" ON "users"."id" = "user_id" WHERE "reviewed_at" IS NOT NULL
	UNION ALL
	SELECT "reviewed_at", CASE "status" WHEN 'finished' THEN 'approve' ELSE 'reject' END, 'withdrawal ' || "withdrawals"."id", "uid", "notes",
		CASE "status" WHEN 'finished' THEN 'approved.' ELSE 'rejected.' END
	FROM "withdrawals" JOIN "users" ON "users"."id" = "user_id" WHERE "reviewed_at" IS NOT NULL
	UNION ALL
	SELECT "reviewed_at", CASE "status" WHEN 'verified' THEN 'approve' ELSE 'reject' END, 'verification ' || "verifications"."id", "uid", "reason",
		CASE "status" WHEN 'verified' THEN 'approved.' ELSE 'rejected.' END
	FROM "verifications" JOIN "users" ON "users"."id" = "user_id" WHERE "reviewed_at" IS NOT NULL
	UNION ALL
	SELECT "ended_at", 'approve', 'refund ' || "subscriptions"."id", "uid", '', 'approved.'
	FROM "subscriptions" JOIN "users" ON "users"."id" = "user_id" WHERE "status" = 'refunded' AND "ended_at" IS NOT NULL
) AS "decided";
