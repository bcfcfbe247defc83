ALTER TABLE "pictures" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "pictures_hash" ON "pictures" USING btree ("hash");