CREATE TABLE "sessions" (
	"id" serial PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" serial PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"mobile" text DEFAULT '' NOT NULL,
	"is_demo" boolean NOT NULL,
	"demo_id" uuid,
	"invite_code" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_uid_unique" UNIQUE("uid"),
	CONSTRAINT "users_demo_id_unique" UNIQUE("demo_id")
);
--> statement-breakpoint
CREATE TABLE "answers" (
	"user_id" integer NOT NULL,
	"key" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"envelope" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "answers_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "halts" (
	"code" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news" (
	"id" serial PRIMARY KEY NOT NULL,
	"category_id" integer NOT NULL,
	"title" text NOT NULL,
	"desc" text NOT NULL,
	"logo" text DEFAULT '' NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"purpose" text NOT NULL,
	"address" text NOT NULL,
	"hash" text NOT NULL,
	"guesses_left" integer NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"day_began" timestamp (3) with time zone NOT NULL,
	"sent_in_day" integer NOT NULL,
	CONSTRAINT "codes_purpose_address_pk" PRIMARY KEY("purpose","address")
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"invited_by" integer
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" integer NOT NULL,
	"kept_for" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"card_id" text NOT NULL,
	"front_picture" text NOT NULL,
	"reverse_picture" text NOT NULL,
	"status" text DEFAULT 'reviewing' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"reviewed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "journal_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	"params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"memo" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"owner" integer NOT NULL,
	"kind" text NOT NULL,
	"balance" numeric(24, 6) DEFAULT '0' NOT NULL,
	CONSTRAINT "ledger_accounts_owner_kind_pk" PRIMARY KEY("owner","kind"),
	CONSTRAINT "held_not_negative" CHECK ("ledger_accounts"."kind" not in ('margin', 'withdrawals', 'funds') or "ledger_accounts"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL,
	"owner" integer NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(24, 6) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bars" (
	"feed_id" integer NOT NULL,
	"instrument_id" integer NOT NULL,
	"period" smallint NOT NULL,
	"time" bigint NOT NULL,
	"open" double precision NOT NULL,
	"high" double precision NOT NULL,
	"low" double precision NOT NULL,
	"close" double precision NOT NULL,
	"volume" double precision NOT NULL,
	"ticked" bigint NOT NULL,
	CONSTRAINT "bars_feed_id_instrument_id_period_time_pk" PRIMARY KEY("feed_id","instrument_id","period","time")
);
--> statement-breakpoint
CREATE TABLE "feed_files" (
	"path" text PRIMARY KEY NOT NULL,
	"size" bigint NOT NULL,
	"modified" double precision NOT NULL,
	"feed_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feeds" (
	"id" serial PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"codes" jsonb NOT NULL,
	"line" bigint DEFAULT 0 NOT NULL,
	"byte" bigint DEFAULT 0 NOT NULL,
	"clock" bigint NOT NULL,
	"ended" boolean DEFAULT false NOT NULL,
	CONSTRAINT "feeds_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "incomes" (
	"id" serial PRIMARY KEY NOT NULL,
	"subscription_id" integer NOT NULL,
	"day" integer NOT NULL,
	"interest" numeric(24, 4) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"fund_id" integer NOT NULL,
	"amount" numeric(24, 2) NOT NULL,
	"dividend_percentage" numeric NOT NULL,
	"liquidated_damages" numeric NOT NULL,
	"lock_days" integer NOT NULL,
	"day_profit" numeric(24, 4) NOT NULL,
	"paid_days" integer DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'doing' NOT NULL,
	"subscribed_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone,
	"refusal" text DEFAULT '' NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "news_translations" (
	"news_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"desc" text NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "news_translations_news_id_language_pk" PRIMARY KEY("news_id","language")
);
--> statement-breakpoint
CREATE TABLE "shipped_articles" (
	"name" text PRIMARY KEY NOT NULL,
	"news_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "traders" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"feed" text NOT NULL,
	"key" text NOT NULL,
	"code" text NOT NULL,
	"multiple" numeric NOT NULL,
	"capital" numeric(24, 2) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"feed" text NOT NULL,
	"instrument_id" integer NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"precision" integer NOT NULL,
	"units_per_lot" numeric NOT NULL,
	"side" text NOT NULL,
	"lots" numeric NOT NULL,
	"multiplier" numeric NOT NULL,
	"origin_price" numeric NOT NULL,
	"approach" text NOT NULL,
	"price" numeric NOT NULL,
	"margin" numeric(24, 2) NOT NULL,
	"fee" numeric(24, 2) NOT NULL,
	"stop_loss" numeric NOT NULL,
	"take_profit" numeric NOT NULL,
	"status" text NOT NULL,
	"close_price" numeric NOT NULL,
	"profit" numeric(24, 6) NOT NULL,
	"close_reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"channel_id" integer NOT NULL,
	"currency_code" text NOT NULL,
	"number" numeric NOT NULL,
	"usd_price" numeric NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"proof" text NOT NULL,
	"status" text DEFAULT 'unchecked' NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"credited" numeric(24, 2) DEFAULT '0' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reviewed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payout_methods" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"currency_id" integer NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"bank_name" text DEFAULT '' NOT NULL,
	"bank_address" text DEFAULT '' NOT NULL,
	"bank_swift" text DEFAULT '' NOT NULL,
	"branch_name" text DEFAULT '' NOT NULL,
	"payee_name" text DEFAULT '' NOT NULL,
	"payee_account" text DEFAULT '' NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"currency_id" integer NOT NULL,
	"currency_code" text NOT NULL,
	"protocol" text NOT NULL,
	"number" numeric(24, 2) NOT NULL,
	"fee" numeric(24, 2) NOT NULL,
	"received" numeric(24, 2) NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"bank_name" text DEFAULT '' NOT NULL,
	"bank_address" text DEFAULT '' NOT NULL,
	"bank_swift" text DEFAULT '' NOT NULL,
	"branch_name" text DEFAULT '' NOT NULL,
	"payee_name" text DEFAULT '' NOT NULL,
	"payee_account" text DEFAULT '' NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"memo" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'reviewing' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reviewed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_front_picture_pictures_id_fk" FOREIGN KEY ("front_picture") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_reverse_picture_pictures_id_fk" FOREIGN KEY ("reverse_picture") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_entry_id_journal_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."journal_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_owner_kind_ledger_accounts_owner_kind_fk" FOREIGN KEY ("owner","kind") REFERENCES "public"."ledger_accounts"("owner","kind") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bars" ADD CONSTRAINT "bars_feed_id_feeds_id_fk" FOREIGN KEY ("feed_id") REFERENCES "public"."feeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_files" ADD CONSTRAINT "feed_files_feed_id_feeds_id_fk" FOREIGN KEY ("feed_id") REFERENCES "public"."feeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incomes" ADD CONSTRAINT "incomes_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_translations" ADD CONSTRAINT "news_translations_news_id_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipped_articles" ADD CONSTRAINT "shipped_articles_news_id_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traders" ADD CONSTRAINT "traders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_proof_pictures_id_fk" FOREIGN KEY ("proof") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_methods" ADD CONSTRAINT "payout_methods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."email" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "users_mobile" ON "users" USING btree ("mobile") WHERE "users"."mobile" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "users_invite_code" ON "users" USING btree ("invite_code") WHERE "users"."invite_code" <> '';--> statement-breakpoint
CREATE INDEX "answers_age" ON "answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "news_category" ON "news" USING btree ("category_id","id");--> statement-breakpoint
CREATE INDEX "pictures_owner" ON "pictures" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "pictures_unused" ON "pictures" USING btree ("created_at") WHERE "pictures"."kept_for" = '';--> statement-breakpoint
CREATE INDEX "verifications_user" ON "verifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "verifications_open" ON "verifications" USING btree ("user_id") WHERE "verifications"."status" <> 'rejected';--> statement-breakpoint
CREATE INDEX "verifications_waiting" ON "verifications" USING btree ("id") WHERE "verifications"."status" = 'reviewing';--> statement-breakpoint
CREATE INDEX "journal_entries_order" ON "journal_entries" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "postings_account" ON "postings" USING btree ("owner","kind","id");--> statement-breakpoint
CREATE INDEX "postings_entry" ON "postings" USING btree ("entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "incomes_day" ON "incomes" USING btree ("subscription_id","day");--> statement-breakpoint
CREATE INDEX "subscriptions_user" ON "subscriptions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at") WHERE "subscriptions"."status" = 'doing';--> statement-breakpoint
CREATE INDEX "subscriptions_waiting" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."status" = 'refunding';--> statement-breakpoint
CREATE UNIQUE INDEX "traders_key" ON "traders" USING btree ("feed","key");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("id") WHERE "orders"."status" <> 'closed';--> statement-breakpoint
CREATE INDEX "orders_history" ON "orders" USING btree ("user_id","completed_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "orders"."status" = 'closed';--> statement-breakpoint
CREATE INDEX "deposits_user" ON "deposits" USING btree ("user_id","kind","id");--> statement-breakpoint
CREATE INDEX "deposits_waiting" ON "deposits" USING btree ("id") WHERE "deposits"."status" = 'unchecked';--> statement-breakpoint
CREATE INDEX "payout_methods_user" ON "payout_methods" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "withdrawals_user" ON "withdrawals" USING btree ("user_id","kind","id");--> statement-breakpoint
CREATE INDEX "withdrawals_waiting" ON "withdrawals" USING btree ("id") WHERE "withdrawals"."status" = 'reviewing';