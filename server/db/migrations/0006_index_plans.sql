-- PostgreSQL plans the statements of this function once, while the tables may be small, and keeps the plans while they
-- grow. Each of its rows is found by its key.
ALTER FUNCTION "book"(jsonb, jsonb, jsonb, jsonb, jsonb)
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off;
