ALTER TABLE "alerts" ADD COLUMN "kind" text DEFAULT 'price' NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "params" text DEFAULT '' NOT NULL;