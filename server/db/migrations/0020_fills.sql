ALTER TABLE "orders" ADD COLUMN "filled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "spread" numeric(24, 6) DEFAULT '0' NOT NULL;