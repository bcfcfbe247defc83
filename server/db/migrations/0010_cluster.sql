CREATE TABLE "directory" (
	"name" text PRIMARY KEY NOT NULL,
	"shard" smallint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"id" smallint PRIMARY KEY NOT NULL,
	"beat" timestamp (3) with time zone NOT NULL,
	"clock" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "leases_one" CHECK ("leases"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "credentials" DROP CONSTRAINT "credentials_invited_by_users_id_fk";
