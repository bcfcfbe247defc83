import { randomUUID } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { timeOf } from '#domain/core/time';
import { toLeverage, toLots, toPrice } from '#domain/core/units';
import { newOrder } from '#domain/trading/matching';
import type { Db } from '../../../server/db/database';
import { type WrittenRows, writeRows } from '../../../server/db/writeRows';
import { missing } from '../../helpers/installed';
import { unless } from '../../helpers/unless';
import { createDatabase } from '../support/postgres';
import { instrument } from '../support/scriptedMarket';

/** Enough rows that scanning a table would be a mistake. */
const USERS = 500;
const ORDERS = 5_000;
/** After five calls PostgreSQL may plan a statement without its parameters. */
const CALLS = 8;

/** A node of a plan. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Total Cost': number;
  Plans?: Plan[];
}

/** What auto_explain says of a statement, those inside functions included. */
interface Explained {
  'Query Text': string;
  Plan: Plan;
}

// PostgreSQL compiles a statement by JIT where the estimated cost is high, for 100 ms at each call,
// and the cost of a scan that `book` forbids is estimated as endless.
unless(describe, missing('PostgreSQL'))('the statements of `book` in PostgreSQL', () => {
  let client: Client;
  let db: Db;
  const explained: Explained[] = [];
  beforeAll(async () => {
    const { url, empty } = inject('postgres');
    client = new Client({ connectionString: await createDatabase(url, empty) });
    await client.connect();
    db = drizzle(client) as unknown as Db;
    await client.query(`
      insert into users (id, uid, is_demo, created_at)
        select id, id::text, true, now() from generate_series(1, ${USERS}) as id;
      insert into ledger_accounts (owner, kind)
        select id, kind from users, unnest(array['available', 'margin']) as kind`);
    await writeRows(db, rowsOf(1, ORDERS));
    await client.query(`
      analyze;
      load 'auto_explain';
      set auto_explain.log_min_duration = 0;
      set auto_explain.log_nested_statements = on;
      set auto_explain.log_format = json;
      set auto_explain.log_level = notice`);
    client.on('notice', ({ message = '' }) => {
      explained.push(JSON.parse(message.slice(message.indexOf('{'))));
    });
  });
  afterAll(() => client?.end());

  it('scan no table, and cost too little to be compiled', async () => {
    for (let call = 0; call < CALLS; call++) {
      await writeRows(db, rowsOf(ORDERS + 1 + call, 1));
      const { newOrders } = rowsOf(1 + call, 1);
      await writeRows(db, {
        changedOrders: newOrders.map((order) => ({ ...order, lots: toLots(2) })),
      });
    }
    const { rows } = await client.query('show jit_above_cost');
    const compiledAbove = Number(rows[0].jit_above_cost);
    const texts = explained.map((each) => each['Query Text']);
    for (const table of ['orders', 'answers', 'journal_entries', 'postings'])
      expect(texts).toContainEqual(expect.stringContaining(`INSERT INTO "${table}"`));
    for (const table of ['orders', 'ledger_accounts'])
      expect(texts).toContainEqual(expect.stringContaining(`UPDATE "${table}"`));
    const found = explained.map(({ 'Query Text': text, Plan: plan }) => ({
      ...{ text, cost: plan['Total Cost'], scanned: scannedBy(plan) },
    }));
    expect(found.filter(({ cost, scanned }) => cost > compiledAbove || scanned.length > 0)).toEqual(
      [],
    );
  });
});

/** The tables that it reads as a whole. */
function scannedBy(plan: Plan): (string | undefined)[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scannedBy)];
}

/** New orders from this id on, with an entry, two postings and an answer for each. */
function rowsOf(from: number, count: number): WrittenRows {
  const at = new Date(1_767_600_000_000);
  const ids = Array.from({ length: count }, (_, index) => from + index);
  return {
    newOrders: ids.map((id) => ({
      ...ORDER,
      ...{ id, userId: ownerOf(id), feed: 'simulated', createdAt: timeOf(at) },
    })),
    changedOrders: [],
    entries: ids.map((id) => ({
      ...{ id, kind: 'frozen', orderId: id, params: {}, memo: '', createdAt: at },
    })),
    postings: ids.flatMap((id) =>
      (['available', 'margin'] as const).map((kind) => ({
        ...{ entryId: id, owner: ownerOf(id), kind, amount: kind === 'margin' ? '1' : '-1' },
      })),
    ),
    answers: ids.map((id) => ({
      ...{ userId: ownerOf(id), key: randomUUID(), fingerprint: '', envelope: '', createdAt: at },
    })),
    commands: ids.map((id) => ({ userId: ownerOf(id), kind: 'order', details: '{}', at })),
  };
}

function ownerOf(id: number): number {
  return 1 + (id % USERS);
}

const ORDER = newOrder(
  {
    side: 'buy',
    type: 'market',
    lots: toLots(1),
    leverage: toLeverage(100),
    targetPrice: undefined,
    stopLoss: undefined,
    takeProfit: undefined,
    trailing: undefined,
    deviation: undefined,
  },
  instrument(1, 'EURUSD'),
  'per-lot',
  { reference: toPrice('1.1'), fill: toPrice('1.1'), held: toPrice('1.1') },
  undefined,
);
