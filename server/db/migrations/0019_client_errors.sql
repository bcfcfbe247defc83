CREATE TABLE "client_errors" (
	"release" text NOT NULL,
	"fingerprint" text NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"sample" jsonb NOT NULL,
	CONSTRAINT "client_errors_release_fingerprint_pk" PRIMARY KEY("release","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"release" text PRIMARY KEY NOT NULL,
	"first_served_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "client_errors" ADD CONSTRAINT "client_errors_release_releases_release_fk" FOREIGN KEY ("release") REFERENCES "public"."releases"("release") ON DELETE cascade ON UPDATE no action;