-- Accounts are not moved between engines any more (D131). Where one engine of a cluster has accounts that were moved, the former
-- release has to start again at all of them to bring these home, so tables that have rows stay. So do entries of such accounts,
-- whose kind is "moved", and the broker's account of them, "transfers".
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM "directory") AND NOT EXISTS (SELECT FROM "moved_sessions") AND NOT EXISTS (SELECT FROM "moves") THEN
    DROP TABLE "directory", "moved_sessions", "moves";
  END IF;
END
$$;
