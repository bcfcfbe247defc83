import { describe, expect, it } from 'vitest';
import { toText, ZERO } from '#domain/core/decimal';
import { toLots } from '#domain/core/units';
import type { Reversed } from '#domain/worker/trading';
import { USER } from '../account/accountWorker';
import type { Asked, Reply, Route } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD')];
const SUBMIT = '/v1/api/forex/submit';
const CLOSE = '/v1/api/forex/close';
const KEYS = { close: 'key-of-the-close', open: 'key-of-the-opposite' };
const LOST: Reply = { fault: 'ERR_NETWORK' };
const POSITION = { side: 'buy', lots: '0.2', name: 'EURUSD' };

/** A user who holds a buy of 0.2 lots, filled at 1.1 with a stop-loss. */
async function begun() {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const tabs = new ScriptedTabs();
  const worker = createTestWorker(ROWS, { storage, tabs });
  const server = new TestServer(worker, ROWS);
  server.open({ forex_id: '1', status: '1', cont: '0.2', stop_loss_price: '1.05' });
  worker.start();
  await worker.clock.advance(1000);
  const stored = () => storage.all('request ');

  /** The page is gone; the same user opens another one. */
  async function reload(): Promise<TestWorker> {
    for (const [path, route] of worker.server.routes) {
      next.server.on(path, route);
      worker.server.on(path, () => new Promise(() => {}));
    }
    tabs.end(1);
    next.start();
    await next.clock.advance(1000);
    return next;
  }
  const { clock, sockets } = worker;
  const next = createTestWorker(ROWS, { storage, tabs, clock, sockets });
  return { worker, server, storage, stored, reload };
}

type Begun = Awaited<ReturnType<typeof begun>>;

/** The answers of a path are lost until the test ends that; the server has done what it was asked. */
function loseAnswers({ server }: TestWorker, path: string): () => void {
  const works = server.routes.get(path) as Route;
  server.on(path, (asked) => {
    works(asked);
    return LOST;
  });
  return () => server.on(path, works);
}

function reverse({ worker }: Begun, keys = KEYS) {
  return worker.workerApi.reverseOrder({ id: 1, lots: toLots('0.1') }, '1.1', keys);
}

const sent = ({ server }: TestWorker) =>
  server.asked.filter(({ path }) => path === SUBMIT || path === CLOSE);
const keyOf = ({ headers }: Asked) => headers['idempotency-key'];
const notices = ({ shown }: TestWorker) =>
  shown.events.filter(({ type }) => !type.startsWith('order-'));
const done = async (result: Promise<{ ok: boolean; data?: Reversed }>) => (await result).data;

describe('a reversal', () => {
  it('closes the position, then opens the opposite one of the same size, without stops', async () => {
    const play = await begun();
    const { worker, server, stored } = play;
    server.prices.set(1, '1.102');
    const result = await done(reverse(play));
    expect(result).toMatchObject({
      closed: { id: 1, side: 'buy', status: 'closed' },
      opened: { id: 2, side: 'sell', status: 'holding' },
    });
    expect(toText((result as Reversed).closed.profit)).toBe('40');
    const [close, open] = sent(worker);
    expect(sent(worker)).toHaveLength(2);
    expect(close).toMatchObject({ path: CLOSE, params: { id: '1' } });
    expect(open).toMatchObject({
      path: SUBMIT,
      params: {
        type: '2',
        forex_id: '1',
        cont: '0.2',
        status: '1',
        target_price: '1.1',
        multiple: '100',
        stop_loss_price: '0',
        target_profit_price: '0',
      },
    });
    expect([keyOf(close as Asked), keyOf(open as Asked)]).toEqual([KEYS.close, KEYS.open]);
    // Both have their time from the confirmation.
    expect(open?.params['valid_until']).toBe(close?.params['valid_until']);
    await worker.clock.advance(100);
    expect(await stored()).toEqual([]);
    expect(notices(worker)).toEqual([]);
    expect(worker.shown.unanswered).toEqual([]);
  });

  it('does nothing more where the close is refused', async () => {
    const play = await begun();
    const { worker, stored } = play;
    worker.server.on(CLOSE, () => ({ code: 2, msg: 'The market is closed' }));
    expect(await reverse(play)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    await worker.clock.advance(100);
    expect(worker.server.to(SUBMIT)).toEqual([]);
    expect(notices(worker)).toEqual([
      { type: 'notice', tone: 'error', text: 'The market is closed' },
    ]);
    expect(await stored()).toEqual([]);
  });

  it('sends nothing where the account could not hold the opposite order', async () => {
    const play = await begun();
    const { worker, server } = play;
    // The close releases 220 USD of margin and loses 200; the opposite one needs 218.
    server.balance = ZERO;
    server.tick(1, '1.09');
    worker.workerApi.setChange({ id: 1 });
    await worker.workerApi.refreshOrders();
    await worker.clock.advance(1000);
    expect(worker.shown.change?.problem).toMatchObject({ field: 'balance' });
    expect(await reverse(play)).toMatchObject({
      failure: { kind: 'invalid', message: { key: 'availableTooLow' } },
    });
    expect(sent(worker)).toEqual([]);
  });

  it('asks again for each lost answer with the same key, and does each once', async () => {
    const play = await begun();
    const { worker, server, stored } = play;
    const find = [loseAnswers(worker, CLOSE), loseAnswers(worker, SUBMIT)];
    const result = reverse(play);
    await worker.clock.advance(1500);
    expect(worker.shown.unanswered).toEqual([
      { key: KEYS.close, subject: { kind: 'reverse', order: POSITION }, state: 'asking' },
    ]);
    expect(worker.server.to(SUBMIT)).toEqual([]);
    find[0]?.();
    await worker.clock.advance(2000);
    expect(worker.shown.unanswered).toMatchObject([
      { key: KEYS.open, subject: { kind: 'opposite', order: POSITION, closed: { id: 1 } } },
    ]);
    find[1]?.();
    await worker.clock.advance(5000);
    expect(await done(result)).toMatchObject({ closed: { id: 1 }, opened: { id: 2 } });
    expect([...server.executed.keys()]).toEqual([KEYS.close, KEYS.open]);
    expect(server.of(1)).toHaveLength(1);
    expect(new Set(sent(worker).map(keyOf)).size).toBe(2);
    expect(await stored()).toEqual([]);
    expect(worker.shown.unanswered).toEqual([]);
  });

  it('says that the opposite order is placed where only its answer can’t be read', async () => {
    const play = await begun();
    play.worker.server.on(SUBMIT, () => ({ data: null }));
    expect(await done(reverse(play))).toMatchObject({ closed: { id: 1 }, opened: 'unread' });
    expect(play.worker.shown.unanswered).toEqual([]);
  });

  it('looks on the lists for the opposite order where its answer says neither yes nor no', async () => {
    const play = await begun();
    const { worker } = play;
    const answer = { code: 400, msg: 'Bad request', data: null };
    worker.server.on(SUBMIT, () => ({ status: 400, body: answer }));
    expect(await done(reverse(play))).toMatchObject({ closed: { id: 1 } });
    await worker.clock.advance(1000);
    expect(worker.shown.unanswered).toMatchObject([
      { key: KEYS.open, state: 'unknown', orders: [] },
    ]);
  });

  it('says that only the close was done where the opposite order is refused, until that is dismissed', async () => {
    const play = await begun();
    const { worker, server, stored, reload } = play;
    worker.server.on(SUBMIT, () => ({ code: 2, msg: 'Too little free balance' }));
    expect(await done(reverse(play))).toMatchObject({ closed: { id: 1 }, opened: undefined });
    await worker.clock.advance(100);
    const half = {
      key: KEYS.open,
      subject: { kind: 'opposite', order: POSITION, closed: { id: 1 } },
      state: 'half',
      failure: { kind: 'refused', text: 'Too little free balance' },
    };
    expect(worker.shown.unanswered).toMatchObject([half]);
    expect(notices(worker)).toEqual([]);
    const next = await reload();
    expect(next.shown.unanswered).toMatchObject([half]);
    expect(sent(next)).toEqual([]);
    next.workerApi.dismissUnanswered(KEYS.open);
    await next.clock.advance(100);
    expect(next.shown.unanswered).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(server.of(1)).toEqual([]);
  });

  it('does not open late: where the answer to the close comes after its time, only that is done', async () => {
    const play = await begun();
    const { worker, server } = play;
    const find = loseAnswers(worker, CLOSE);
    const result = reverse(play);
    await worker.clock.advance(6000);
    find();
    await worker.clock.advance(20_000);
    expect(await done(result)).toMatchObject({ closed: { id: 1 }, opened: undefined });
    expect(worker.shown.unanswered).toMatchObject([
      { state: 'half', failure: { kind: 'invalid', message: { key: 'notSent' } } },
    ]);
    expect(worker.server.to(SUBMIT)).toEqual([]);
    expect(server.executed.size).toBe(1);
  });

  it.each([
    ['the same keys', KEYS, 1],
    ['others', { close: 'second-close', open: 'second-open' }, 2],
  ])('is done once for a double tap, with %s', async (_, keys, closes) => {
    const play = await begun();
    const { worker, server } = play;
    const both = [reverse(play), reverse(play, keys)];
    await worker.clock.advance(1000);
    await Promise.all(both);
    expect(server.executed.size).toBe(2);
    expect(server.of(1).map(({ Id }) => Id)).toEqual([2]);
    expect(new Set(worker.server.to(CLOSE).map(keyOf)).size).toBe(closes);
    expect(new Set(worker.server.to(SUBMIT).map(keyOf)).size).toBe(1);
  });

  it('whose page is gone before the close was answered is not continued, and the next page says so', async () => {
    const play = await begun();
    const { worker, server, reload, stored } = play;
    const find = loseAnswers(worker, CLOSE);
    void reverse(play);
    await worker.clock.advance(500);
    find();
    const next = await reload();
    expect(server.of(1)).toEqual([]);
    expect(next.server.to(SUBMIT)).toEqual([]);
    const half = {
      key: KEYS.close,
      subject: { kind: 'opposite', order: POSITION, closed: { id: 1, status: 'closed' } },
      state: 'half',
      failure: { kind: 'invalid', message: { key: 'interrupted' } },
    };
    expect(next.shown.unanswered).toMatchObject([half]);
    expect(await stored()).toMatchObject([{ key: KEYS.close, half: half.failure }]);
  });

  it('whose page is gone between the two says after it what was done', async () => {
    const play = await begun();
    const { worker, server, reload, storage } = play;
    // The entry of the opposite order is never stored, as if the page had gone just before.
    const set = storage.set;
    storage.set = (name, value) =>
      name.endsWith(KEYS.open) ? new Promise<void>(() => {}) : set(name, value);
    void reverse(play);
    await worker.clock.advance(100);
    expect(server.of(1)).toEqual([]);
    expect(worker.server.to(SUBMIT)).toEqual([]);
    storage.set = set;
    const next = await reload();
    expect(next.shown.unanswered).toMatchObject([
      { key: KEYS.close, state: 'half', failure: { message: { key: 'interrupted' } } },
    ]);
    expect(next.server.to(SUBMIT)).toEqual([]);
  });

  it('whose opposite order was sent while the storage was silent names it on the next page', async () => {
    const play = await begun();
    const { worker, server, reload, storage } = play;
    const { set, remove } = storage;
    storage.set = (name, value) =>
      name.endsWith(KEYS.open) ? new Promise<void>(() => {}) : set(name, value);
    storage.remove = () => new Promise<void>(() => {});
    void reverse(play);
    await worker.clock.advance(1000);
    expect(server.of(1)).toMatchObject([{ Id: 2 }]);
    Object.assign(storage, { set, remove });
    const next = await reload();
    expect(next.shown.unanswered).toMatchObject([
      { key: KEYS.close, state: 'unknown', subject: { kind: 'opposite' }, orders: [{ id: 2 }] },
    ]);
  });

  it('whose page is gone after the opposite order was sent is found out by the next page', async () => {
    const play = await begun();
    const { worker, server, reload, stored } = play;
    const find = loseAnswers(worker, SUBMIT);
    void reverse(play);
    await worker.clock.advance(500);
    expect(await stored()).toMatchObject([{ key: KEYS.open, continues: KEYS.close }]);
    find();
    const next = await reload();
    expect(next.shown.events.filter(({ type }) => type === 'request-settled')).toMatchObject([
      { subject: { kind: 'opposite' }, order: { id: 2, side: 'sell' } },
    ]);
    expect(server.executed.size).toBe(2);
    expect(next.shown.unanswered).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('whose opposite order the next page sends again, and is refused, is half done without a search', async () => {
    const play = await begun();
    const { worker, reload } = play;
    worker.server.on(SUBMIT, () => LOST);
    void reverse(play);
    await worker.clock.advance(500);
    worker.server.on(SUBMIT, () => ({ code: 2, msg: 'Too little free balance' }));
    const next = await reload();
    const [found] = next.shown.unanswered;
    expect(found).toMatchObject({ key: KEYS.open, state: 'half' });
    expect(found).not.toHaveProperty('orders');
  });

  it('whose close was not forgotten in time is continued, and not closed again, by the next page', async () => {
    const play = await begun();
    const { worker, reload, storage, stored } = play;
    const { remove } = storage;
    storage.remove = () => new Promise<void>(() => {});
    const find = loseAnswers(worker, SUBMIT);
    void reverse(play);
    await worker.clock.advance(1000);
    expect(await stored()).toHaveLength(2);
    storage.remove = remove;
    find();
    const next = await reload();
    expect(sent(next).map(keyOf)).toEqual([KEYS.open]);
    expect(await stored()).toEqual([]);
  });

  it('ends with the session: nothing is opened for another user, and the next login hears of the close', async () => {
    const play = await begun();
    const { worker, server } = play;
    const works = worker.server.routes.get(CLOSE) as Route;
    worker.server.on(CLOSE, async (asked) => {
      const answer = works(asked);
      await worker.workerApi.signOut();
      return answer;
    });
    const result = reverse(play);
    await worker.clock.advance(1000);
    expect(await result).toMatchObject({ ok: false });
    expect(worker.server.to(SUBMIT)).toEqual([]);
    expect(worker.shown.unanswered).toEqual([]);
    worker.server.on(CLOSE, works);
    const user = { ...USER, id: 7 };
    worker.server.on('/api/user/loginForU', () => ({ data: { token: server.token, user } }));
    await worker.workerApi.signIn({
      login_type: 'email',
      account: 'a@example.com',
      password: 'secret123',
    });
    await worker.clock.advance(1000);
    expect(worker.shown.unanswered).toMatchObject([{ state: 'half' }]);
    expect(worker.server.to(SUBMIT)).toEqual([]);
  });
});

it('is previewed as if the position were closed already', async () => {
  const play = await begun();
  const { worker, server } = play;
  worker.workerApi.setChange({ id: 1 });
  await worker.clock.advance(1000);
  server.tick(1, '1.102');
  await worker.clock.advance(1000);
  // 100,000 - 1 fee + 40 profit - 220.40 margin - 1 fee
  expect(worker.shown.change).toMatchObject({
    price: '1.102',
    margin: '220.4',
    fee: '1',
    availableAfter: '99817.6',
    problem: undefined,
  });
  // A sell alone, as if the buy were not there: 100,038 - 20,000 × (P - 1.102) = 20 % of 220.40
  expect(worker.shown.change?.stopOutPrice).toBe('6.1017');
  worker.workerApi.setChange(undefined);
});
