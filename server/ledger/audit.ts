import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { BROKER } from './entries';

/** A difference between the journal and what is derived from it. */
export interface Difference {
  /** Name of the check. */
  check: string;
  /** Where: `user 3, margin`, `order 12`. */
  where: string;
  expected: string;
  found: string;
}

interface Check {
  name: string;
  /** Rows of `place`, `expected` and `found`, as text, only where the two differ. */
  query: ReturnType<typeof sql>;
}

/**
 * Compares the journal with everything derived from it: balances with their postings, and what each
 * order moved with its own figures.
 */
const CHECKS: readonly Check[] = [
  {
    name: 'the legs of an entry add up to zero',
    query: sql`
      select 'entry ' || entry_id as place, '0' as expected, sum(amount)::text as found
      from postings group by entry_id having sum(amount) <> 0`,
  },
  {
    name: 'every entry has legs',
    query: sql`
      select 'entry ' || id as place, 'two legs or more' as expected, 'none' as found
      from journal_entries e where not exists (select 1 from postings p where p.entry_id = e.id)`,
  },
  {
    name: 'a balance is the sum of its postings',
    query: sql`
      select a.owner || ' ' || a.kind as place,
        coalesce(p.total, 0)::numeric(24, 6)::text as expected, a.balance::text as found
      from ledger_accounts a
      left join (select owner, kind, sum(amount) as total from postings group by owner, kind) p
        on p.owner = a.owner and p.kind = a.kind
      where a.balance <> coalesce(p.total, 0)`,
  },
  {
    name: 'frozen margin is that of the open orders',
    query: sql`
      select 'user ' || a.owner as place,
        coalesce(o.total, 0)::numeric(24, 6)::text as expected, a.balance::text as found
      from ledger_accounts a
      left join (
        select user_id, sum(margin) as total from orders where status <> 'closed' group by user_id
      ) o on o.user_id = a.owner
      where a.kind = 'margin' and a.balance <> coalesce(o.total, 0)`,
  },
  {
    name: 'a balance is negative only while orders are held',
    query: sql`
      select 'user ' || owner as place, 'at least 0' as expected, balance::text as found
      from ledger_accounts a
      where kind = 'available' and owner <> 0 and balance < 0
        and not exists (select 1 from orders o where o.user_id = a.owner and o.status = 'holding')`,
  },
  {
    // What a part of an order froze, paid and was charged for its nights is posted under the order that it was split from. An amended order has frozen more,
    // or released a part, before its end.
    name: 'an order moved its margin, its fee, its swap and its profit, once each',
    query: sql`
      select place, expected, found from (
        select 'order ' || o.id as place,
          concat_ws(', ',
            'frozen ' || (o.frozen - case when o.status = 'closed' then o.margin else 0 end)::numeric(24, 6),
            'fee ' || -o.paid::numeric(24, 6),
            'swap ' || o.swapped::numeric(24, 6),
            'profit ' || o.profit::numeric(24, 6)) as expected,
          concat_ws(', ',
            'frozen ' || coalesce(sum(p.amount) filter (where p.owner = o.user_id and p.kind = 'margin'), 0)::numeric(24, 6),
            'fee ' || -coalesce(sum(p.amount) filter (where p.owner = ${BROKER} and p.kind = 'fees'), 0)::numeric(24, 6),
            'swap ' || -coalesce(sum(p.amount) filter (where p.owner = ${BROKER} and p.kind = 'swaps'), 0)::numeric(24, 6),
            'profit ' || -coalesce(sum(p.amount) filter (where p.owner = ${BROKER} and p.kind = 'trading'), 0)::numeric(24, 6)) as found
        from (
          select o.id, o.user_id, o.status, o.margin, o.profit,
            case when o.split_from is null then o.margin + coalesce(parts.margin, 0) else 0 end as frozen,
            case when o.split_from is null and o.price > 0 then o.fee + coalesce(parts.fee, 0) else 0 end as paid,
            case when o.split_from is null then o.swap + coalesce(parts.swap, 0) else 0 end as swapped
          from orders o
          left join (
            select split_from, sum(margin) as margin, sum(fee) as fee, sum(swap) as swap
            from orders where split_from is not null group by split_from
          ) parts on parts.split_from = o.id
        ) o
        left join journal_entries e on e.order_id = o.id
        left join postings p on p.entry_id = e.id
        group by o.id, o.status, o.margin, o.profit, o.frozen, o.paid, o.swapped
      ) moved where expected <> found`,
  },
  {
    name: 'frozen withdrawals are those under review',
    query: sql`
      select 'user ' || a.owner as place,
        coalesce(w.total, 0)::numeric(24, 6)::text as expected, a.balance::text as found
      from ledger_accounts a
      left join (
        select user_id, sum(number) as total from withdrawals where status = 'reviewing' group by user_id
      ) w on w.user_id = a.owner
      where a.kind = 'withdrawals' and a.balance <> coalesce(w.total, 0)`,
  },
  {
    name: 'a withdrawal took its amount once, and gave it back once where it was rejected',
    query: sql`
      select place, expected::text, found::text from (
        select 'withdrawal ' || w.id as place,
          case when w.status = 'rejected' then 0 else -w.number end::numeric(24, 6) as expected,
          coalesce(sum(p.amount), 0)::numeric(24, 6) as found
        from withdrawals w
        left join journal_entries e on (e.params->>'withdrawal')::int = w.id
        left join postings p
          on p.entry_id = e.id and p.owner = w.user_id and p.kind = 'available'
        group by w.id
      ) moved where expected <> found`,
  },
  {
    name: 'a deposit was credited once',
    query: sql`
      select place, expected::text, found::text from (
        select 'deposit ' || d.id as place, d.credited::numeric(24, 6) as expected,
          coalesce(sum(p.amount), 0)::numeric(24, 6) as found
        from deposits d
        left join journal_entries e on e.kind = 'deposited' and (e.params->>'deposit')::int = d.id
        left join postings p
          on p.entry_id = e.id and p.owner = d.user_id and p.kind = 'available'
        group by d.id
      ) moved where expected <> found`,
  },
  {
    name: 'the funds hold what is subscribed',
    query: sql`
      select 'the broker, funds' as place,
        coalesce(s.total, 0)::numeric(24, 6)::text as expected, a.balance::text as found
      from ledger_accounts a
      cross join (
        select sum(amount) as total from subscriptions where status in ('doing', 'refunding')
      ) s
      where a.owner = 0 and a.kind = 'funds' and a.balance <> coalesce(s.total, 0)`,
  },
  {
    name: 'a subscription was paid its days, each once',
    query: sql`
      select place, expected, found from (
        select 'subscription ' || s.id as place,
          concat_ws(', ',
            s.paid_days || ' days',
            'incomes ' || (s.paid_days * s.day_profit)::numeric(24, 6),
            'postings ' || (s.paid_days * s.day_profit)::numeric(24, 6)) as expected,
          concat_ws(', ',
            (select count(*) from incomes i where i.subscription_id = s.id) || ' days',
            'incomes ' || (select coalesce(sum(interest), 0) from incomes i
              where i.subscription_id = s.id)::numeric(24, 6),
            'postings ' || coalesce(sum(p.amount), 0)::numeric(24, 6)) as found
        from subscriptions s
        left join journal_entries e
          on e.kind = 'interest' and (e.params->>'subscription')::int = s.id
        left join postings p
          on p.entry_id = e.id and p.owner = s.user_id and p.kind = 'available'
        group by s.id
      ) moved where expected <> found`,
  },
  {
    name: 'money moves for orders that exist, of their own user',
    query: sql`
      select 'entry ' || e.id as place, 'order ' || e.order_id || ' of user ' || p.owner as expected,
        coalesce('of user ' || o.user_id, 'no such order') as found
      from journal_entries e
      join postings p on p.entry_id = e.id and p.owner <> 0
      left join orders o on o.id = e.order_id
      where e.order_id <> 0 and o.user_id is distinct from p.owner`,
  },
];

/**
 * Returns all differences; empty where the ledger is consistent. Reads one snapshot and changes
 * nothing.
 */
export function audit(db: Db): Promise<Difference[]> {
  return db.transaction(
    async (tx) => {
      const differences: Difference[] = [];
      for (const { name: check, query } of CHECKS) {
        const { rows } = await tx.execute<{ place: string; expected: string; found: string }>(
          query,
        );
        for (const { place: where, expected, found } of rows) {
          differences.push({ check, where, expected, found });
        }
      }
      return differences;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
