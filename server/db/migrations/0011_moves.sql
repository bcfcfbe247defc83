CREATE TABLE "moved_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"shard" smallint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "moves" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"uid" text NOT NULL,
	"shard" smallint NOT NULL,
	"state" text NOT NULL,
	"amount" numeric(24, 6) DEFAULT '0' NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "moves_leaving" ON "moves" USING btree ("user_id") WHERE "moves"."state" = 'leaving';--> statement-breakpoint
-- As before (0007_trailing_stops.sql), but for ids: those of accounts that have come from other engines are not of this
-- sequence, and those of accounts that have left are not given again. Reading a sequence as a table would be a scan, whose
-- cost is endless here, and PostgreSQL would compile the query by JIT for 100 ms at each call.
CREATE OR REPLACE FUNCTION "book"(new_orders jsonb, changed_orders jsonb, new_entries jsonb, new_postings jsonb, new_answers jsonb)
RETURNS TABLE ("owner" integer, "kind" text, "balance" numeric)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
  IF new_orders <> '[]' THEN
    INSERT INTO "orders" SELECT * FROM jsonb_populate_recordset(NULL::"orders", new_orders);
    PERFORM setval('orders_id_seq', greatest(pg_sequence_last_value('orders_id_seq'),
      (SELECT max(o."id") FROM jsonb_populate_recordset(NULL::"orders", new_orders) AS o)));
  END IF;
  IF changed_orders <> '[]' THEN
    UPDATE "orders" SET
      "lots" = c."lots", "margin" = c."margin", "fee" = c."fee",
      "price" = c."price", "stop_loss" = c."stop_loss", "take_profit" = c."take_profit",
      "trailing" = c."trailing", "trailing_since" = c."trailing_since", "status" = c."status",
      "close_price" = c."close_price", "profit" = c."profit", "close_reason" = c."close_reason",
      "completed_at" = c."completed_at"
    FROM jsonb_populate_recordset(NULL::"orders", changed_orders) AS c
    WHERE "orders"."id" = c."id";
  END IF;
  IF new_answers <> '[]' THEN
    -- Only an expired answer, not deleted yet, can be in the way.
    INSERT INTO "answers" SELECT * FROM jsonb_populate_recordset(NULL::"answers", new_answers)
    ON CONFLICT ("user_id", "key") DO UPDATE SET
      "fingerprint" = excluded."fingerprint", "envelope" = excluded."envelope", "created_at" = excluded."created_at";
  END IF;
  IF new_entries <> '[]' THEN
    INSERT INTO "journal_entries" SELECT * FROM jsonb_populate_recordset(NULL::"journal_entries", new_entries);
    PERFORM setval('journal_entries_id_seq', greatest(pg_sequence_last_value('journal_entries_id_seq'),
      (SELECT max(e."id") FROM jsonb_populate_recordset(NULL::"journal_entries", new_entries) AS e)));
    INSERT INTO "postings" ("entry_id", "owner", "kind", "amount")
    SELECT p."entry_id", p."owner", p."kind", p."amount"
    FROM jsonb_populate_recordset(NULL::"postings", new_postings) AS p;
    RETURN QUERY
    UPDATE "ledger_accounts" AS a SET "balance" = a."balance" + moved."amount"
    FROM (
      SELECT p."owner", p."kind", sum(p."amount") AS "amount"
      FROM jsonb_populate_recordset(NULL::"postings", new_postings) AS p
      GROUP BY p."owner", p."kind"
    ) AS moved
    WHERE a."owner" = moved."owner" AND a."kind" = moved."kind"
    RETURNING a."owner", a."kind", a."balance";
  END IF;
END
$$;
