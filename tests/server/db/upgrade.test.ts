import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { createApp } from '../../../server/app';
import { readCommand } from '../../../server/config/config';
import { DATABASE, type Database, type DatabaseOptions } from '../../../server/db/database';
import { openDatabase } from '../../../server/db/open';
import { openPglite } from '../../../server/db/pglite';
import { orders } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import type { App } from '../../../server/lifecycle';
import { createMarket } from '../../../server/market/createMarket';
import { FORMER, type Former, readFormer, readTables, unpackData } from '../../upgrade/former';
import { databasesInTurn } from '../support/database';
import { dataDirectory } from '../support/dataDirectory';
import { FakeClock } from '../support/fakeClock';
import { createDatabase } from '../support/postgres';

type Ask = <T>(text: string) => Promise<T[]>;
/** Rows by table. */
type Tables = Record<string, Record<string, unknown>[]>;

type Unanswered = Former['unanswered'][number];

/** Engines do not move accounts any more. */
const DROPPED = ['directory', 'moved_sessions', 'moves'];

const FILLED = [
  'alerts',
  'answers',
  'codes',
  'credentials',
  'deposits',
  'journal_entries',
  'known_devices',
  'ledger_accounts',
  'news',
  'news_translations',
  'orders',
  'payout_methods',
  'pictures',
  'postings',
  'push_keys',
  'recovery_codes',
  'second_factors',
  'sessions',
  'shipped_articles',
  'subscriptions',
  'traders',
  'users',
  'verifications',
  'withdrawals',
];

/** Ada's lists and the number of their rows. */
const LISTS = {
  '/v1/api/forex/my_deal?status=1': 3,
  '/v1/api/forex/my_deal?status=0': 1,
  '/v1/api/forex/my_deal?status=3': 2,
  '/v1/api/forex/alert_list': 1,
  '/api/quickCharge/quick_ist': 2,
  '/api/account/draw_list?type=1': 1,
  '/api/account/draw_list?type=2': 1,
  '/api/wallet/get_draw_method?type=1': 2,
  '/api/fund/subList?status=1': 1,
};

interface Opened {
  former: Former;
  options: DatabaseOptions;
  /** Before it was migrated. */
  tables: Tables;
}

async function readAll(ask: Ask): Promise<Tables> {
  const names = await ask<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const tables: Tables = {};
  for (const { name } of names) {
    const rows = await ask<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from public.${name} as t`,
    );
    tables[name] = rows.map(({ row }) => row);
  }
  return tables;
}

async function onPglite(): Promise<Opened> {
  const directory = dataDirectory();
  unpackData('pglite', directory);
  const client = await openPglite(join(directory, DATABASE));
  const tables = await readAll(async (text) => (await client.query<never>(text)).rows);
  await client.close();
  return { former: readFormer('pglite'), options: { directory }, tables };
}

async function onPostgres(): Promise<Opened> {
  const directory = dataDirectory();
  unpackData('postgresql', directory);
  const url = await createDatabase(inject('postgres').url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(readTables());
  const tables = await readAll(async (text) => (await client.query(text)).rows);
  await client.end();
  return { former: readFormer('postgresql'), options: { url, directory }, tables };
}

const openers = { PGlite: onPglite, PostgreSQL: onPostgres };

describe.each(databasesInTurn())(`the data of the release ${FORMER}, on %s`, (name) => {
  let former: Former;
  let before: Tables;
  let after: Tables;
  let database: Database;
  let app: App;
  let clock: FakeClock;
  let url: string;

  beforeAll(async () => {
    const opened = await openers[name]();
    ({ former, tables: before } = opened);
    database = await openDatabase(opened.options);
    const { db } = database;
    after = await readAll(async (text) => (await db.execute<never>(text)).rows);
    clock = new FakeClock(toUnixMs(former.killedAt));
    const log = { info() {}, warn() {}, error: (text: string) => console.error(text) };
    const { directory } = opened.options;
    const settings = ['--port', '0', '--host', '127.0.0.1', '--data', directory, '--seed', '1'];
    const command = readCommand([...settings, '--no-auto-review'], {});
    if (command.name !== 'serve') throw new Error('no server');
    const { config } = command;
    const { seed, instruments, ticksPerSecond } = config;
    const market = await createMarket(
      { seed, instruments, ticksPerSecond, feeType: 'per-lot', log },
      db,
      clock,
    );
    app = await createApp({ config, database, market, clock, log, clientDirectory: 'none' });
    url = `http://127.0.0.1:${await app.listen()}`;
  });
  afterAll(() => app.close());

  async function ask(path: string, key = '', init: RequestInit = {}, token = former.ada.token) {
    const headers = {
      authorization: token,
      lang: 'en',
      ...(key && { 'idempotency-key': key }),
    };
    const answer = await fetch(url + path, { ...init, headers });
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of several calls
    return (await answer.json()) as { code: number; msg: string; data: any };
  }
  const countOrders = () => database.db.$count(orders);

  it('is complete after the migrations, and the books are right', async () => {
    for (const [table, rows] of Object.entries(before)) {
      if (DROPPED.includes(table)) expect(rows).toEqual([]);
      else {
        const found = new Set(after[table]?.map((row) => textOf(row, Object.keys(rows[0] ?? {}))));
        const lost = rows.filter((row) => !found.has(textOf(row, Object.keys(row))));
        expect([table, lost]).toEqual([table, []]);
      }
    }
    const filled = Object.keys(before).filter((table) => before[table]?.length);
    expect(filled).toEqual(expect.arrayContaining(FILLED));
    // None of the sessions that were there counts as proven by a code.
    const { sessions = [], second_factors: factors = [] } = before;
    const newest = factors.map(({ user_id }) => {
      const own = sessions.filter((session) => session['user_id'] === user_id);
      return Math.max(0, ...own.map(({ id }) => Number(id)));
    });
    expect(after['second_factors']?.map(({ last_session }) => last_session)).toEqual(newest);
    expect(await audit(database.db)).toEqual([]);
  });

  it('serves the session and its lists', async () => {
    expect((await ask('/api/user/info')).data).toMatchObject({ email: former.ada.email });
    for (const [path, count] of Object.entries(LISTS)) {
      const { data } = await ask(path);
      expect([path, data.total ?? (data.data ?? data).length]).toEqual([path, count]);
    }
  });

  it('keeps the second factor, and the pictures of a verification', async () => {
    const { email, password, secret } = former.bob;
    const login = async (more: Record<string, string> = {}) =>
      ask('/api/user/loginForU', '', {
        method: 'POST',
        body: new URLSearchParams({ account: email, password, login_type: 'email', ...more }),
      });
    const { ticket } = (await login()).data;
    // A code is accepted once.
    clock.pass(60_000);
    const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.now(),
    });
    const { data } = await login({ ticket, otp });
    expect(data.user).toMatchObject({ email, otp: 1 });
    const center = await ask('/api/user_real/center', '', {}, data.token);
    expect(center.data).toMatchObject({ review_status: 1 });
    expect((await fetch(center.data.front_pic)).status).toBe(200);
  });

  it('answers repeated orders as before, and places none of them again', async () => {
    const known = await countOrders();
    // Their deadlines are over.
    clock.pass(60_000);
    const [placed, lost] = former.unanswered as [Unanswered, Unanswered];
    for (let times = 0; times < 2; times++) {
      const { code, data } = await ask(placed.path, placed.key);
      expect([code, data]).toEqual([1, expect.objectContaining({ Status: 1, Quantity: '0.02' })]);
      expect((await ask(lost.path, lost.key)).msg).toMatch(/^This request arrived too late/);
    }
    expect(await countOrders()).toBe(known);
    const anew = lost.path.replace(/&valid_until=\d+/, '');
    expect((await ask(anew, randomUUID())).code).toBe(1);
    expect(await countOrders()).toBe(known + 1);
    expect(await audit(database.db)).toEqual([]);
  });
});

/** The columns of a row in a fixed order. */
function textOf(row: Record<string, unknown>, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => row[column]));
}
