ALTER TABLE "orders" ADD COLUMN "swap" numeric(24, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "charged_until" timestamp (3) with time zone;