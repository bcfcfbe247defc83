import { randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SessionRow } from '#domain/api/common';
import { add, toText, ZERO } from '#domain/core/decimal';
import { toUsd, type Usd } from '#domain/core/units';
import { fromJson } from '../../../../server/cluster/bus';
import { countRows, readAccount } from '../../../../server/cluster/moves/accountRows';
import type { MoveAnswer } from '../../../../server/cluster/moves/steps';
import { IDS_OF_SHARD, shardOfToken } from '../../../../server/cluster/shards';
import {
  journalEntries,
  ledgerAccounts,
  moves,
  orders,
  traders,
  users,
} from '../../../../server/db/schema';
import { audit } from '../../../../server/ledger/audit';
import { eventually } from '../../../eventually';
import { drawn, inTurn } from '../../../samples';
import { as, PASSWORD } from '../../support/testServer';
import { formOf, jpeg, upload } from '../../uploads/pictures';
import { TwoEngines } from './twoEngines';

const EUR = 1;
const GBP = 2;
const submit = (params: Record<string, string | number> = {}) =>
  `/v1/api/forex/submit?${new URLSearchParams(
    Object.entries({
      ...{ type: 1, cont: '0.1', forex_id: EUR, status: 1, target_price: 0, multiple: 100 },
      ...{ stop_loss_price: 0, target_profit_price: 0, ...params },
    }).map(([name, value]) => [name, String(value)]),
  )}`;
const addAlert = (price: string) => `/v1/api/forex/alert_add?forex_id=${EUR}&price=${price}`;
const deals = (status: 0 | 1 | 3) => `/v1/api/forex/my_deal?status=${status}`;

describe('an account moves to another engine', () => {
  let engines: TwoEngines;
  let slow: ClientRequest | undefined;
  beforeAll(async () => {
    engines = await TwoEngines.open();
  }, 60_000);
  afterEach(() => {
    engines.broker.before = () => {};
    engines.broker.fateOf = () => 'answered';
    engines.broker.asked.length = 0;
  });
  afterAll(() => engines.close());

  const tryToMove = ({ user }: SessionRow, from: number) =>
    engines.desk(from, 'move', user.uid, String(3 - from), '--confirm');
  const move = async (user: SessionRow, from: number) => {
    const moved = { code: 0, out: `User ${user.user.uid} is at engine ${3 - from} now.` };
    expect(await tryToMove(user, from)).toEqual(moved);
  };

  const accountsOf = (shard: number, kind: string) =>
    engines.db(shard).select().from(ledgerAccounts).where(eq(ledgerAccounts.kind, kind));

  async function auditsAreRight(): Promise<void> {
    for (const shard of [1, 2]) expect(await audit(engines.db(shard))).toEqual([]);
  }

  /** What one engine owes for accounts that have left, the other one has. */
  async function booksAreRight(): Promise<void> {
    await auditsAreRight();
    const transfers = await Promise.all([1, 2].map((shard) => accountsOf(shard, 'transfers')));
    const sum = transfers.flat().reduce<Usd>((all, { balance }) => add(all, toUsd(balance)), ZERO);
    expect(toText(sum)).toBe('0');
  }

  /** What the broker has earned and owes at an engine, without the accounts that have moved. */
  const brokerAt = async (shard: number) =>
    (
      await engines
        .db(shard)
        .select()
        .from(ledgerAccounts)
        .where(
          and(
            eq(ledgerAccounts.owner, 0),
            inArray(ledgerAccounts.kind, ['fees', 'trading', 'capital', 'payments']),
          ),
        )
    )
      .map(({ kind, balance }) => `${kind} ${balance}`)
      .sort();

  let width = 40;
  /** A user with everything that an account can have. */
  async function busyUser(shard: number) {
    const user = await engines.user(shard);
    const { token } = user;
    const { url } = engines.engine(shard);
    const key = randomUUID();
    const first = await engines.once(submit({ stop_loss_price: '1.05' }), token, key);
    expect(first).toMatchObject({ code: 1 });
    for (const path of [
      submit({ forex_id: GBP, status: 0, target_price: '1.2' }),
      addAlert('1.15'),
      '/api/fund/buy?id=7&amount=1500',
    ]) {
      expect(await engines.once(path, token)).toMatchObject({ code: 1 });
    }
    const pictures: string[] = [];
    for (let count = 0; count < 3; count++) {
      // A picture proves one deposit.
      const { data } = await upload(url, token, formOf(await jpeg(++width, 40)));
      pictures.push(data.url);
    }
    const [proof = '', front_pic, reverse_pic] = pictures;
    const identity = { name: 'Ada Lovelace', card_id: 'X1234567', front_pic, reverse_pic };
    const submitted = await engines
      .engine(shard)
      .post('/api/user_real/real_name', identity, as(token));
    expect(submitted).toMatchObject({ code: 1 });
    const proofImg = encodeURIComponent(proof);
    const deposit = `/api/quickCharge/submit?number=5&address=TSandboxDoNotSendRea1CoinsHere1111&charge_id=1&proofImg=${proofImg}`;
    expect(await engines.once(deposit, token)).toMatchObject({ code: 1 });
    await engines.once(
      `/v1/api/forex/close?id=${(await engines.once(submit(), token)).data.Id}`,
      token,
    );
    return { ...user, key, first };
  }

  /** The status and the engine of a picture of the user's identity, as a page would show it. */
  async function pictureOf(token: string) {
    const { data } = await engines.call('/api/user_real/center', token);
    const { status } = await fetch(data.front_pic);
    return [status, new URL(data.front_pic).searchParams.get('engine')];
  }

  /** What a user sees, but for what the market decides. */
  async function seenBy(token: string) {
    const seen: unknown[] = [await engines.balance(token)];
    for (const path of [
      deals(0),
      deals(1),
      deals(3),
      '/v1/api/forex/alert_list',
      '/v1/api/main/accountLog/forexChange',
      '/api/fund/subList?page=1',
      '/api/quickCharge/quick_ist',
      '/api/user/info',
    ]) {
      const { code, data } = await engines.call(path, token);
      seen.push([path, code, data]);
    }
    return seen;
  }

  inTurn(it)('only when it is confirmed: the plan changes nothing', async () => {
    const { user, token } = await busyUser(2);
    const before = await readAccount(engines.db(2), user.id);
    const { code, out } = await engines.desk(2, 'move', user.uid, '1');
    expect(code).toBe(2);
    for (const line of [
      `User ${user.uid} would move from engine 2 to engine 1:`,
      /available +\d+(\.\d+)? USD/,
      /margin +[1-9]\d*(\.\d+)? USD/,
      /open orders +2/,
      /running subscriptions +1/,
      /sessions +1 row$/m,
      /orders +3 rows/,
      'Meanwhile calls of the user wait.',
    ]) {
      expect(out).toMatch(line);
    }
    expect(await readAccount(engines.db(2), user.id)).toEqual(before);
    expect(await engines.db(2).$count(moves)).toBe(0);
    expect((await countRows(engines.db(1), user.id)).moved).toEqual([]);
    expect(await engines.servedAt(token)).toEqual([2]);
  });

  it('not where it can’t, and says why', async () => {
    const { user } = await engines.user(2, '0');
    const refused = async (text: string | RegExp, ...args: string[]) =>
      expect(await engines.desk(2, 'move', ...args)).toMatchObject({
        code: 1,
        out: expect.stringMatching(text),
      });
    await refused('needs a user', user.uid);
    await refused('no engine 3, only 1 to 2', user.uid, '3');
    await refused('no user 17 here', '17', '1');
    await refused('is at engine 2', user.uid, '2');
    await engines
      .db(1)
      .insert(users)
      .values({ uid: user.uid, isDemo: false, createdAt: new Date() });
    await refused(`Engine 1 has another user ${user.uid}`, user.uid, '1', '--confirm');
    await engines.db(1).delete(users).where(eq(users.uid, user.uid));
    engines.broker.fateOf = () => 'request lost';
    await refused('Engine 1 does not answer', user.uid, '1');
    engines.broker.fateOf = () => 'answered';
    const db = engines.db(2);
    await db.insert(traders).values({
      ...{ userId: user.id, feed: 'script', key: 'tidewatch', code: 'EURUSD' },
      ...{ multiple: '1', capital: '1' },
    });
    await refused('strategy account', user.uid, '1', '--confirm');
    await db.delete(traders);
    await db.update(users).set({ closedAt: new Date() }).where(eq(users.id, user.id));
    await refused('the account is closed', user.uid, '1', '--confirm');
  });

  it.each(drawn([1, 2], 2))('with everything it has, from engine %i and back', async (from) => {
    const to = 3 - from;
    const busy = await busyUser(from);
    const { user, token, key, first, email } = busy;
    const houses = [await brokerAt(1), await brokerAt(2)];
    const before = await seenBy(token);
    await move(busy, from);
    await booksAreRight();
    // What the house has earned with the account stays where it was earned.
    expect([await brokerAt(1), await brokerAt(2)]).toEqual(houses);
    expect(await seenBy(token)).toEqual(before);
    expect(await countRows(engines.db(from), user.id)).toEqual({ moved: [], ended: [] });
    expect(await engines.servedAt(token)).toEqual([to]);
    // A call that is repeated with its key gets its first answer.
    expect((await engines.once(submit({ stop_loss_price: '1.05' }), token, key)).data).toEqual(
      first.data,
    );
    expect(await engines.db(to).$count(orders, eq(orders.userId, user.id))).toBe(3);
    // The name finds it, and what it makes now has ids of the new engine.
    const login = { account: email, password: PASSWORD, login_type: 'email' };
    const again = await engines.call('/api/user/loginForU', '', {}, login);
    expect(again.data.user.id).toBe(user.id);
    expect(shardOfToken(again.data.token)).toBe(to);
    await engines.tick([EUR, 1.1]);
    const placed = await engines.once(submit(), token);
    expect(Math.floor(placed.data.Id / IDS_OF_SHARD)).toBe(to - 1);
    // The newest is the first, whichever engine has made its id.
    const { data: held } = await engines.call(deals(1), token);
    expect(held.data[0].Id).toBe(placed.data.Id);
    engines.clock.pass(1_000);
    const bought = await engines.once('/api/fund/buy?id=7&amount=1500', token);
    const { data: funds } = await engines.call('/api/fund/subList?page=1', token);
    expect(funds.data[0].id).toBe(bought.data.id);
    const { data: records } = await engines.call('/v1/api/main/accountLog/forexChange', token);
    expect(records.list[0].Type).toBe(15);
    // The picture came along.
    expect(await pictureOf(token)).toEqual([200, String(to)]);
    // A stop that is hit now is executed once, and the alert triggers once.
    await engines.tick([EUR, 1.04]);
    await engines.tick([EUR, 1.03]);
    await engines.tick([EUR, 1.16]);
    const { data: closed } = await engines.call(deals(3), token);
    const stopped = closed.data.filter(({ Id }: { Id: number }) => Id === first.data.Id);
    expect(stopped).toMatchObject([{ UpdatePrice: expect.stringMatching(/^1\.04/) }]);
    for (const shard of [1, 2]) {
      const profits = await engines
        .db(shard)
        .$count(
          journalEntries,
          and(eq(journalEntries.orderId, first.data.Id), eq(journalEntries.kind, 'profit')),
        );
      expect(profits).toBe(shard === to ? 1 : 0);
    }
    const { data: alerts } = await engines.call('/v1/api/forex/alert_list?past=1', token);
    expect(alerts.data).toMatchObject([{ TriggerPrice: '1.16000' }]);
    await booksAreRight();
    // And back, with what happened there.
    const later = await seenBy(token);
    await move(busy, to);
    expect(await seenBy(token)).toEqual(later);
    expect(await seenBy(again.data.token)).toEqual(later);
    expect(await countRows(engines.db(to), user.id)).toEqual({ moved: [], ended: [] });
    await booksAreRight();
    await engines.tick([EUR, 1.1], [GBP, 1.3]);
    // A session that ended elsewhere has ended here, and nobody looks for it any more.
    await move(busy, from);
    expect(await engines.call('/api/user/logout', token, {}, {})).toMatchObject({ code: 1 });
    await move(busy, to);
    expect(await engines.call('/api/user/info', token)).toMatchObject({ status: 200, code: 999 });
    expect(await engines.servedAt(token)).toEqual([]);
    expect(await engines.servedAt(again.data.token)).toEqual([from]);
  });

  inTurn(it)('while only its own calls wait', async () => {
    const [busy, other] = [await busyUser(2), await engines.user(2)];
    const key = randomUUID();
    const during: unknown[] = [];
    const look = async (name: string) => {
      if (name !== 'arrive' && name !== 'settle') return;
      const own = await engines.once(submit(), busy.token, key);
      expect(own).toMatchObject({ status: 503, retryAfter: '2' });
      const login = { account: busy.email, password: PASSWORD, login_type: 'email' };
      expect(await engines.call('/api/user/loginForU', '', {}, login)).toMatchObject({
        status: 503,
      });
      expect(await engines.desk(2, 'debit', busy.user.uid, '1', 'late')).toMatchObject({
        out: 'The account is on its way to another engine.',
      });
      expect((await engines.desk(2, 'list')).out).not.toContain(busy.user.uid);
      expect(await engines.once(submit(), other.token)).toMatchObject({ code: 1 });
      await engines.tick([EUR, 1.1]);
      during.push(own.status);
    };
    engines.broker.before = (name) => look(name).catch((error: unknown) => void during.push(error));
    await move(busy, 2);
    expect(during).toEqual([503, 503]);
    engines.broker.before = () => {};
    expect(await engines.once(submit(), busy.token, key)).toMatchObject({ code: 1 });
    await booksAreRight();
  });

  it('and misses no price on its way', async () => {
    const user = await engines.user(2);
    const { data: stopped } = await engines.once(submit({ stop_loss_price: '1.05' }), user.token);
    const { data: waiting } = await engines.once(
      submit({ status: 0, target_price: '1.04', target_profit_price: '1.2' }),
      user.token,
    );
    await engines.once(addAlert('1.06'), user.token);
    engines.broker.before = async (name) => {
      if (name !== 'arrive') return;
      for (const price of [1.09, 1.03, 1.1]) await engines.tick([EUR, price]);
    };
    await move(user, 2);
    const { data: closed } = await engines.call(deals(3), user.token);
    expect(closed.data).toMatchObject([
      { Id: stopped.Id, UpdatePrice: expect.stringMatching(/^1\.03/) },
    ]);
    const { data: held } = await engines.call(deals(1), user.token);
    expect(held.data).toMatchObject([{ Id: waiting.Id }]);
    expect(held.data[0].Price).toMatch(/^1\.03/);
    const { data: alerts } = await engines.call('/v1/api/forex/alert_list?past=1', user.token);
    expect(alerts.data).toHaveLength(1);
    await booksAreRight();
  });

  inTurn(it)(
    'and is matched by one engine, also when the old one starts again before it knows',
    async () => {
      const user = await engines.user(2);
      const { data: order } = await engines.once(submit({ stop_loss_price: '1.05' }), user.token);
      let lost = false;
      engines.broker.fateOf = (name) => {
        const known = lost;
        lost ||= name === 'arrive';
        return known ? 'request lost' : name === 'arrive' ? 'answer lost' : 'answered';
      };
      await tryToMove(user, 2);
      engines.broker.fateOf = () => 'request lost';
      await engines.restart(2);
      expect(await engines.servedAt(user.token)).toEqual([1]);
      await engines.tick([EUR, 1.04]);
      const states = await Promise.all(
        [1, 2].map((shard) =>
          engines.db(shard).select().from(orders).where(eq(orders.id, order.Id)),
        ),
      );
      expect(states.flat().map(({ status }) => status)).toEqual(['closed', 'holding']);
      engines.broker.fateOf = () => 'answered';
      await eventually(async () => {
        engines.clock.pass(2_000);
        expect(await engines.db(2).$count(moves, eq(moves.state, 'leaving'))).toBe(0);
      });
      await engines.tick([EUR, 1.1]);
      // Ids that have left are not given again.
      await engines.restart(2);
      const next = await engines.user(2);
      expect((await engines.once(submit(), next.token)).data.Id).toBeGreaterThan(order.Id);
      await move(next, 2);
      await booksAreRight();
    },
  );

  it('and a request that was let in before is not answered by the old one', async () => {
    const user = await engines.user(2);
    const answer = new Promise<{ status: number; place: unknown }>((resolve) => {
      const { url } = engines.engine(2);
      const headers = { ...as(user.token), 'content-type': 'application/x-www-form-urlencoded' };
      slow = request(`${url}/api/user/logout`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve({
          status: response.statusCode ?? 0,
          place: response.headers['x-fulcrum-engine'],
        });
      });
    });
    slow?.write('t=');
    await after(50);
    await move(user, 2);
    slow?.end('1');
    expect(await answer).toEqual({ status: 421, place: '1' });
    expect(await engines.servedAt(user.token)).toEqual([1]);
  });

  it('not once its move is cancelled', async () => {
    const user = await engines.user(2);
    await engines.once(submit({ stop_loss_price: '1.05' }), user.token);
    engines.broker.fateOf = (name) => (name === 'arrive' ? 'request late' : 'answered');
    engines.broker.before = async (name) => {
      if (name !== 'arrive') return;
      for (const price of [1.03, 1.1]) await engines.tick([EUR, price]);
    };
    expect(await tryToMove(user, 2)).toEqual({
      code: 1,
      out: `User ${user.user.uid} stays at engine 2: Engine 1 does not answer.`,
    });
    const answer = fromJson<MoveAnswer>(await engines.broker.late());
    expect(answer.refusal).toBeDefined();
    expect((await countRows(engines.db(1), user.user.id)).moved).toEqual([]);
    expect(await engines.servedAt(user.token)).toEqual([2]);
    const { data: closed } = await engines.call(deals(3), user.token);
    expect(closed.data).toMatchObject([{ UpdatePrice: expect.stringMatching(/^1\.03/) }]);
    expect(await engines.once(submit(), user.token)).toMatchObject({ code: 1 });
    await booksAreRight();
  });

  it('not to an engine whose tables are others', async () => {
    const user = await engines.user(2);
    // What comes is compared with what was sent.
    engines.broker.before = async (name) => {
      if (name !== 'arrive') return;
      await engines.db(1).execute(sql`alter table users add column later text`);
    };
    const { out } = await tryToMove(user, 2);
    await engines.db(1).execute(sql`alter table users drop column later`);
    expect(out).toContain('both engines need the same release');
    expect(await engines.servedAt(user.token)).toEqual([2]);
    await booksAreRight();
  });

  it('and trades on while its last move is not finished, but does not move on', async () => {
    const user = await engines.user(2);
    engines.broker.fateOf = (name) => (name === 'relocate' ? 'request lost' : 'answered');
    expect((await tryToMove(user, 2)).out).toContain('That goes on by itself.');
    expect(await engines.desk(2, 'move', user.user.uid, '1')).toMatchObject({
      out: expect.stringContaining('is on its way already'),
    });
    expect(await engines.desk(1, 'move', user.user.uid, '2')).toMatchObject({
      out: expect.stringContaining('Engine 2 has not finished the last move'),
    });
    engines.broker.fateOf = () => 'answered';
    await eventually(async () => {
      engines.clock.pass(2_000);
      const { out } = await engines.desk(2, 'move', user.user.uid, '1');
      expect(out).toContain('is at engine 1');
    });
    expect(await engines.servedAt(user.token)).toEqual([1]);
    await booksAreRight();
  });

  describe('and is at one engine, whatever is lost and whoever is killed', () => {
    const steps = ['part', 'arrive', 'settle', 'picture', 'relocate'];
    const cases = steps.flatMap((step) =>
      (['request lost', 'answer lost'] as const).flatMap((fate) =>
        (['nobody', 'the old engine', 'the new engine'] as const).map((killed) => ({
          step,
          fate,
          killed,
        })),
      ),
    );
    const tried = drawn(cases, 6);
    let busy: Awaited<ReturnType<typeof busyUser>>;
    let balance: [string, string];
    let rows: number;
    beforeAll(async () => {
      busy = await busyUser(2);
      balance = await engines.balance(busy.token);
      rows = await engines.db(2).$count(orders, eq(orders.userId, busy.user.id));
    });

    it.each(tried)('$fate at $step, $killed killed', async ({ step, fate, killed }) => {
      const { user, token, key, first } = busy;
      let lost = false;
      engines.broker.fateOf = (name) => {
        // From then on the one that asks hears nothing of the other.
        lost ||= name === step;
        return lost ? (name === step ? fate : 'request lost') : 'answered';
      };
      await tryToMove(busy, 2);
      expect(lost).toBe(true);
      expect((await engines.servedAt(token)).length).toBeLessThanOrEqual(1);
      await auditsAreRight();
      engines.broker.fateOf = () => 'answered';
      if (killed === 'the old engine') await engines.restart(2);
      if (killed === 'the new engine') await engines.restart(1);
      // It goes on by itself.
      await eventually(async () => {
        engines.clock.pass(2_000);
        expect(await engines.servedAt(token)).toHaveLength(1);
        expect(await engines.db(2).$count(moves, eq(moves.state, 'leaving'))).toBe(0);
      });
      if ((await engines.servedAt(token))[0] === 2) await move(busy, 2);
      expect(await engines.servedAt(token)).toEqual([1]);
      expect(await engines.balance(token)).toEqual(balance);
      expect((await engines.once(submit({ stop_loss_price: '1.05' }), token, key)).data.Id).toBe(
        first.data.Id,
      );
      expect(await engines.db(1).$count(orders, eq(orders.userId, user.id))).toBe(rows);
      expect(await pictureOf(token)).toEqual([200, '1']);
      await booksAreRight();
      await move(busy, 1);
      expect(await engines.servedAt(token)).toEqual([2]);
      await booksAreRight();
    });
  });
});
