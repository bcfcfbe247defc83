CREATE INDEX "commands_user" ON "commands" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "feed_files_feed" ON "feed_files" USING btree ("feed_id");--> statement-breakpoint
CREATE INDEX "shipped_articles_news" ON "shipped_articles" USING btree ("news_id");--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_front" ON "verifications" USING btree ("front_picture");--> statement-breakpoint
CREATE INDEX "verifications_reverse" ON "verifications" USING btree ("reverse_picture");--> statement-breakpoint
CREATE INDEX "deposits_proof" ON "deposits" USING btree ("proof");