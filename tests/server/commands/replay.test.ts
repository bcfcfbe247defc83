import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asc, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import { CommandLog } from '../../../server/commands/commandLog';
import { commands, journalEntries, orders } from '../../../server/db/schema';
import { inTurn } from '../../helpers/samples';
import { admin, adminTool } from '../admin/adminCommand';
import { onEachDatabase } from '../support/database';
import { expectReplayed, replayed } from '../support/replayed';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { as, TestServer } from '../support/testServer';
import { market as atMarket, pending, TestTrading } from '../trading/testTrading';

const EUR = 1;
const ORDER = {
  ...{ type: 1, cont: '1', forex_id: EUR, status: 1, target_price: 0, stop_loss_price: 0 },
  ...{ target_profit_price: 0, multiple: 100 },
};

onEachDatabase((database) => {
  describe('what a server has recorded', () => {
    let server: TestServer;
    beforeEach(async () => {
      await emptyTables(database.db);
      server = await TestServer.open(database.db, { args: ['--no-traders', '--no-draw-verify'] });
      await server.market.tick([EUR, 1.1], [2, 1.3]);
    });
    afterEach(() => server.close());

    const submit = async (token: string, changes = {}) => {
      const query = new URLSearchParams(
        Object.entries({ ...ORDER, ...changes }).map(([name, value]) => [name, String(value)]),
      );
      const { code, msg, data } = await server.get(`/v1/api/forex/submit?${query}`, {
        ...as(token),
        'idempotency-key': randomUUID(),
      });
      if (code !== 1) throw new Error(msg);
      return data.Id as number;
    };
    const recorded = () => database.db.select().from(commands).orderBy(asc(commands.id));

    inTurn(it)('is played by the admin tool while the server goes on', async () => {
      const { token } = await server.demoUser();
      const id = await submit(token);
      await server.get(`/v1/api/forex/close?id=${id}`, as(token));
      expect(await adminTool(server.directory, ['replay'])).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          /^\d+ commands from \S+Z to \S+Z were played\.\nThe books are the same, digit for digit \(order: 1, entry: \d+, postings of entry: \d+, balances of user: 2\)\.$/,
        ),
      });
      expect(readdirSync(server.directory).filter((name) => name.startsWith('replay-'))).toEqual(
        [],
      );
      await submit(token);
      await expectReplayed(database);
    });

    it('is played no further once the server stops', async () => {
      await submit((await server.demoUser()).token);
      const stopping = AbortSignal.abort(new Error('stopped'));
      await expect(replayed(database, stopping)).rejects.toThrow('stopped');
    });

    it('leaves no database behind where a process was killed', async () => {
      const { directory } = server;
      await server.close();
      mkdirSync(join(directory, 'replay-killed', 'base'), { recursive: true });
      server = await TestServer.open(database.db, { directory });
      expect(readdirSync(directory)).not.toContain('replay-killed');
    });

    it('holds nothing personal', async () => {
      const sentinel = `sentinel${randomUUID().slice(0, 8)}`;
      const email = `${sentinel}@example.com`;
      await server.sendCode(email, 1);
      const password = `lost ${randomUUID()}`.slice(0, 20);
      const registered = await server.register(email, { password, re_password: password });
      expect(registered.code, registered.msg).toBe(1);
      const { token, user } = registered.data;
      const credit = ['credit', user.uid, '5000', sentinel, '--confirm'];
      expect(await admin(server.directory, credit)).toMatchObject({ code: 0 });
      const bank = {
        ...{ bank_name: sentinel, bank_address: sentinel, bank_swift: 'HARBHKHH' },
        ...{ payee_name: sentinel, payee_account: sentinel, branch_name: sentinel },
      };
      const listed = await server.get('/api/account/draw_symbol_list?type=2', as(token));
      const draw_id = listed.data[0].id as number;
      const bound = await server.form(
        '/api/wallet/bind_draw_method',
        { draw_id, type: 2, remark: sentinel, ...bank },
        as(token),
      );
      expect(bound.code, bound.msg).toBe(1);
      const drawn = await server.form(
        '/api/account/draw',
        { draw_currency_id: draw_id, number: '100', memo: sentinel, draw_method_id: bound.data.id },
        as(token),
      );
      expect(drawn.code, drawn.msg).toBe(1);
      await submit(token);
      const at = (ms: number) =>
        new Date(timeAfter(server.market.now(), toDurationMs(ms))).toISOString();
      server.market.pass(60_000);
      const bust = [
        ...['bust', '--instrument', 'EURUSD', '--from', at(-120_000), '--to', at(-1000)],
        ...['--reason', sentinel, '--confirm'],
      ];
      expect(await admin(server.directory, bust)).toMatchObject({ code: 0 });
      const stored = await database.db.select().from(journalEntries);
      expect(stored.filter((entry) => JSON.stringify(entry).includes(sentinel))).toHaveLength(2);

      const rows = await recorded();
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(
        new Set(['base', 'terms', 'open', 'post', 'order']),
      );
      expect(JSON.stringify(rows)).not.toContain(sentinel);
      expect(JSON.stringify(rows)).not.toContain(user.uid);
      expect(JSON.stringify(rows)).not.toContain(password);
      await expectReplayed(database);
    });

    inTurn(it)('is known by its books where it was altered', async () => {
      const { token, user } = await server.demoUser();
      const other = await server.demoUser();
      const id = await submit(token, { stop_loss_price: '1.05' });
      await submit(other.token, { status: 0, target_price: '1.08' });
      await server.market.tick([EUR, 1.04]);
      await submit(token);
      await expectReplayed(database);
      const rows = await recorded();
      const found = (kind: string, text = '') => {
        const row = rows.find((each) => each.kind === kind && each.details.includes(text));
        if (!row) throw new Error(`no ${kind} ${text}`);
        return row;
      };
      const placed = found('order', '"kind":"submit"');
      const altered = (row: typeof placed, from: string | RegExp, to: string) => async () => {
        const details = row.details.replace(from, to);
        expect(details).not.toBe(row.details);
        await database.db.update(commands).set({ details }).where(eq(commands.id, row.id));
      };
      const last = rows.at(-1) as typeof placed;
      const cases: [string, () => Promise<unknown>, RegExp][] = [
        [
          'lots',
          altered(placed, '"lots":{"decimal":"1"}', '"lots":{"decimal":"2"}'),
          /order 1, \w+: .* in the books, .* played/,
        ],
        [
          'a price',
          altered(placed, '"price":1.1', '"price":1.2'),
          /order 1, \w+: .* in the books, .* played/,
        ],
        [
          'the market of a stop',
          altered(found('order', '"kind":"tick"'), /1\.04/g, '1.05'),
          /order 1, \w+: .* in the books, .* played/,
        ],
        ['the time', altered(last, /"now":\d+/, '"now":1'), /order 3, (created_at|filled_at): /],
        [
          'money',
          altered(found('post'), '"decimal":"100000"', '"decimal":"100001"'),
          /command \d+ \(post, .*\) can't be done/,
        ],
        [
          'whose it is',
          () =>
            database.db
              .update(commands)
              .set({
                details: placed.details.replace(`"userId":${user.id}`, `"userId":${other.user.id}`),
              })
              .where(eq(commands.id, placed.id)),
          /order|entry|postings|command/,
        ],
        [
          'one that is gone',
          () => database.db.delete(commands).where(eq(commands.id, last.id)),
          /order 3: the books have it, the replay has not/,
        ],
        [
          'one that is there twice',
          () => database.db.insert(commands).values({ ...last, id: last.id + 1 }),
          /command \d+/,
        ],
        [
          'an unknown one',
          () => database.db.update(commands).set({ kind: 'gift' }).where(eq(commands.id, last.id)),
          /there is no command gift/,
        ],
        [
          'what is no JSON',
          () => database.db.update(commands).set({ details: '{' }).where(eq(commands.id, last.id)),
          /can't be done/,
        ],
      ];
      for (const [what, alter, difference] of cases) {
        await alter();
        expect((await replayed(database)).difference, what).toMatch(difference);
        await database.db.delete(commands);
        await database.db.insert(commands).values(rows);
      }
      // The books themselves, too.
      await database.db.update(orders).set({ closeReason: 'user' }).where(eq(orders.id, id));
      const { code, out } = await admin(server.directory, ['replay']);
      expect([code, out]).toEqual([
        1,
        expect.stringContaining(
          `The books differ: order ${id}, close_reason: "user" in the books, "stop_loss" played.`,
        ),
      ]);
    });

    it('is as long as it has to be kept', async () => {
      await server.close();
      server = await TestServer.open(database.db, {
        args: ['--no-traders', '--command-days', '2'],
      });
      await server.market.tick([EUR, 1.1]);
      const { token } = await server.demoUser();
      await submit(token);
      const bases = async () => (await recorded()).filter(({ kind }) => kind === 'base');
      const first = await bases();
      expect(first).toHaveLength(1);
      for (const days of [1, 2]) {
        server.clock.pass(DAY_MS + 3_700_000);
        await expect.poll(async () => (await bases()).length).toBe(1 + days);
        await submit(token);
      }
      server.clock.pass(DAY_MS + 3_700_000);
      await expect.poll(async () => (await bases())[0]?.id).toBeGreaterThan(first[0]?.id ?? 0);
      expect((await recorded())[0]?.kind).toBe('base');
      await submit(token);
      await expectReplayed(database);
    });

    inTurn(it)('is nothing with --command-days 0, and goes with that', async () => {
      expect(await recorded()).not.toEqual([]);
      await server.close();
      server = await TestServer.open(database.db, {
        args: ['--no-traders', '--command-days', '0'],
      });
      await server.market.tick([EUR, 1.1]);
      await submit((await server.demoUser()).token);
      expect(await recorded()).toEqual([]);
      expect(await admin(server.directory, ['replay'])).toEqual({
        code: 1,
        out: 'Nothing is recorded: see --command-days.',
      });
      await server.close();
      server = await TestServer.open(database.db, { args: ['--no-traders'] });
      await server.market.tick([EUR, 1.1]);
      await submit((await server.demoUser()).token);
      await expectReplayed(database);
    });
  });

  it('is the same where the clock goes on during a command, and late ticks come', async () => {
    await emptyTables(database.db);
    const market = new PassingMarket([instrument(EUR, 'EURUSD')]);
    await market.tick([EUR, 1.1]);
    const trading = await TestTrading.record(database.db, market);
    const user = await trading.addUser();
    await trading.submit(user, EUR, atMarket());
    const held = await trading.submit(user, EUR, pending('1.09', { trailing: '0.01' }));
    await market.tick([EUR, 1.09]);
    await market.tick([EUR, 1.12]);
    await trading.run((work) => trading.engine.close(work, user, held.id));
    expect(trading.errors).toEqual([]);
    trading.close();
    await expectReplayed(database);
  });

  it('is whole where an account is opened while a base is written', async () => {
    await emptyTables(database.db);
    let now: UnixMs = new SerialMarket([]).now();
    const market = new SerialMarket([instrument(EUR, 'EURUSD')]);
    await market.tick([EUR, 1.1]);
    const log = new CommandLog(1, () => now);
    const trading = await TestTrading.open(
      database.db,
      market,
      'per-lot',
      undefined,
      0,
      true,
      undefined,
      log,
    );
    now = timeAfter(now, DAY_MS);
    const users = Promise.all(Array.from({ length: 8 }, () => trading.addUser()));
    await Promise.all([trading.engine.recordBase(), users]);
    for (const user of await users) await trading.submit(user, EUR, atMarket());
    trading.close();
    now = timeAfter(now, DAY_MS);
    await log.purge(database.db);
    const [{ bases } = { bases: 0 }] = await database.db
      .select({ bases: sql<number>`count(*)::integer` })
      .from(commands)
      .where(eq(commands.kind, 'base'));
    expect(bases).toBe(1);
    await expectReplayed(database);
  });
});

/** Its clock shows another time whenever it is asked. */
class PassingMarket extends SerialMarket {
  override now(): UnixMs {
    this.time = timeAfter(this.time, toDurationMs(1));
    return super.now();
  }
}
