import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import type { InstrumentRow } from '#domain/api/market';
import { readBar } from '#domain/api/read-market';
import { parse } from '#domain/api/schema';
import { accountSummary, orderList } from '#domain/api/trading';
import type { SessionRow } from '#domain/api/user';
import { decimal, multiply, toText } from '#domain/core/decimal';
import { LANGUAGES } from '#domain/core/language';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { accountBalance } from '#domain/trading/accountSummary';
import type { OrderStatus } from '#domain/trading/order';
import { partsOf } from '#domain/trading/rules';
import type { WorkerApi } from '#domain/worker/workerApi';
import { createApp } from '../../../server/app';
import { readCommand } from '../../../server/config/config';
import type { Database } from '../../../server/db/database';
import type { App } from '../../../server/lifecycle';
import { createMarket } from '../../../server/market/createMarket';
import type { Market } from '../../../server/market/market';
import { createWorkerApi } from '../../../workers/workerApi';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { PageChart } from '../../workers/support/pageChart';
import { ScriptedTabs } from '../../workers/support/scriptedTabs';
import { MemoryStorage, paintingPort, Shown, START } from '../../workers/support/testWorker';
import { dataDirectory } from '../support/dataDirectory';
import { FakeClock } from '../support/fakeClock';
import { orderText } from '../support/orderText';
import { Machine } from './machine';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Time that passes between two checks of what is in flight: less than the silence after which a link is stale. */
const STEP = 5 * SECOND;
const STATUSES = { pending: 0, holding: 1, closed: 3 } as const;

/** Actions of the user and events of the machine, in turns: all of them before one repeats. */
const EVENTS = [
  ...[
    'buys',
    'sells',
    'sets a target',
    'closes',
    'closes',
    'closes a part',
    'cancels',
    'sets stops',
  ],
  ...['looks at a screen', 'changes the language', 'hides the page'],
  ...['goes offline', 'changes the network', 'naps', 'loses a request', 'loses a reply'],
  'is logged out elsewhere',
] as const;
export type Event = (typeof EVENTS)[number];

/** A real worker and a real server on one clock that only the test moves: a client's days in seconds. */
export class Week {
  readonly happened = new Map<string, number>();
  readonly warned: string[] = [];
  private readonly random: SeededRandom;
  private readonly clock: FakeClock;
  private readonly machine: Machine;
  private readonly workerApi: WorkerApi;
  private readonly shown = new Shown();
  private readonly chart = new PageChart();
  private readonly app: App;
  private readonly market: Market;
  private readonly storage = new MemoryStorage();
  private readonly waiting = new Set<Promise<unknown>>();
  private url = '';
  private coming: Event[] = [];

  private constructor(app: App, market: Market, clock: FakeClock, seed: number) {
    this.app = app;
    this.market = market;
    this.clock = clock;
    this.random = new SeededRandom(seed);
    this.machine = new Machine(clock);
    const { machine, storage } = this;
    this.workerApi = createWorkerApi({
      clock: machine,
      random: this.random.next,
      openSocket: machine.openSocket,
      storage,
      logger: { log() {}, warn: (message, detail) => this.warned.push(`${message} ${detail}`) },
      adapter: machine.adapter,
      ...new ScriptedTabs().open(),
      stopwatch: machine.now,
    });
    this.workerApi.watch({ account: true });
  }

  static async open(database: Database, begin: number, seed: number): Promise<Week> {
    const settings = ['--port', '0', '--host', '127.0.0.1', '--data', dataDirectory()];
    const command = readCommand(
      [...settings, '--seed', '1', '--no-traders', '--no-auto-review'],
      {},
    );
    if (command.name === 'help') throw new Error('only help');
    const clock = new FakeClock(toUnixMs(begin));
    const log = { info() {}, warn() {}, error: console.error };
    const market = await createMarket(
      { feeType: 'per-lot', seed: '1', instruments: 6, ticksPerSecond: 0.2, log },
      database.db,
      clock,
    );
    const app = await createApp({
      config: command.config,
      database,
      market,
      clock,
      log,
      clientDirectory: 'none',
    });
    const week = new Week(app, market, clock, seed);
    week.url = `http://127.0.0.1:${await app.listen()}`;
    await week.start();
    return week;
  }

  close(): Promise<void> {
    this.machine.changeNetwork();
    return this.app.close();
  }

  /** One hour of the client's life. At night its machine sleeps. */
  async hour(): Promise<void> {
    const until = this.clock.now() + HOUR;
    const hour = new Date(this.clock.now()).getUTCHours();
    if (hour < 7) {
      this.count('sleeps for an hour at night');
      await this.sleep(HOUR);
      return;
    }
    for (;;) {
      const pause = this.random.between(1 * MINUTE, 4 * MINUTE);
      if (this.clock.now() + pause >= until) break;
      await this.pass(pause);
      await this.happens();
    }
    // A nap may have ended in the next hour.
    await this.pass(Math.max(0, until - this.clock.now()));
  }

  /** Fails where what the page shows is not what the server has. */
  async compare(): Promise<void> {
    await this.calm();
    const { shown, workerApi } = this;
    const demo = await this.storage.get('demo-id');
    const { token } = await this.ask<SessionRow>(`/api/user/createAccountDemoForU?demo_id=${demo}`);
    for (const status of Object.keys(STATUSES) as OrderStatus[]) {
      const result = await this.answer(workerApi.orders(status, 0, 10_000));
      if (!result.ok) throw new Error(JSON.stringify(result.failure));
      expect(result.data.failure).toBeUndefined();
      const known = await this.ordersOf(token, STATUSES[status]);
      expect(result.data.orders.map(orderText).sort(), status).toEqual(known);
      expect(result.data.total, status).toBe(known.length);
    }
    const balances = parse(
      accountSummary.answer,
      await this.ask('/v1/api/main/account/forexDetail', token),
    );
    expect(shown.account?.balance).toBe(balances && toText(accountBalance(balances)));
    const list = await this.ask<InstrumentRow[]>('/v1/api/forex/trade_list', token);
    expect([...shown.quotes].map(([id, { close }]) => [id, close]).sort()).toEqual(
      list.map(({ Id, ForexQuotations }) => [Id, Number(ForexQuotations.Close)]).sort(),
    );
    const [first] = this.market.instruments;
    const rows = await this.ask<unknown[]>(`/v1/api/forex/kline?forex_id=${first?.id}&period=1min`);
    const bars = rows.map((row) => {
      const bar: Bar = { time: toUnixSeconds(0), open: 0, high: 0, low: 0, close: 0, volume: 0 };
      expect(readBar(row, '1min', bar)).toBe(true);
      return bar;
    });
    expect(this.chart.bars.slice(-100)).toEqual(bars.slice(-100));
  }

  /** Megabytes of heap that are in use. */
  heap(): number {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  }

  /** Orders that were placed. */
  get orders(): number {
    return ['buys', 'sells', 'sets a target'].reduce(
      (sum, what) => sum + (this.happened.get(`${what}: done`) ?? 0),
      0,
    );
  }

  private async start(): Promise<void> {
    const { workerApi } = this;
    workerApi.sendFrames(paintingPort((frame) => this.shown.apply(frame)));
    const page = { origin: this.url, title: 'Fulcrum', fallbackHost: '', domains: [] };
    workerApi.start({ ...START, page, version: '' });
    await this.answer(workerApi.signInDemo());
    const ids = this.market.instruments.map(({ id }) => id);
    workerApi.watch({ instruments: { add: ids, remove: [] } });
    const [first] = this.market.instruments;
    if (!first) throw new Error('no instruments');
    const candles = { instrumentId: first.id, period: '1min' as const };
    workerApi.watch({ candles: { add: [candles], remove: [] } });
  }

  private async happens(): Promise<void> {
    if (this.coming.length === 0) {
      this.coming = EVENTS.map((event) => ({ event, at: this.random.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ event }) => event);
    }
    const event = this.coming.pop() as Event;
    this.count(event);
    await this.perform(event);
  }

  private async perform(event: Event): Promise<void> {
    const { workerApi, machine, random } = this;
    const key = randomUUID();
    switch (event) {
      case 'buys':
      case 'sells':
      case 'sets a target': {
        const row = workerApi.row(this.chosen());
        if (!row) return;
        const { instrument, quote } = row;
        const pending = event === 'sets a target';
        const target = (quote.close * 0.998).toFixed(instrument.precision);
        const leverage = instrument.leverages.at(-1);
        return this.expects(
          event,
          workerApi.submit(
            {
              instrumentId: instrument.id,
              side: event === 'sells' ? 'sell' : 'buy',
              type: pending ? 'pending' : 'market',
              // Enough to be closed in parts.
              lots: toText(multiply(instrument.minLots, decimal(4))),
              leverage: leverage ? toText(leverage) : '',
              targetPrice: pending ? target : '',
              stopLoss: '',
              takeProfit: '',
              trailing: '',
              deviation: '',
            },
            key,
          ),
        );
      }
      case 'closes':
      case 'closes a part':
      case 'sets stops':
      case 'cancels': {
        const status = event === 'cancels' ? 'pending' : 'holding';
        const own = this.market.instruments.flatMap(({ id }) => workerApi.ordersOf(id));
        const orders = own.filter((order) => order.status === status);
        if (orders.length === 0) return;
        const order = random.pick(orders);
        const { id, code, side, updatePrice, precision } = order;
        if (event === 'closes') return this.expects(event, workerApi.closeOrder(order, key));
        if (event === 'closes a part') {
          const instrument = workerApi.row(code)?.instrument;
          const [part] = instrument ? partsOf(order, instrument) : [];
          if (!part) return;
          return this.expects(event, workerApi.closePart(order, toText(part.lots), key));
        }
        if (event === 'cancels') return this.expects(event, workerApi.cancelOrder(id, key));
        const stop = (share: number) => (Number(toText(updatePrice)) * share).toFixed(precision);
        const [stopLoss, takeProfit] = [stop(0.997), stop(1.003)];
        const trailing = random.pick(['', stop(0.002)]);
        const exits =
          side === 'buy'
            ? { stopLoss, takeProfit, trailing }
            : { stopLoss: takeProfit, takeProfit: stopLoss, trailing };
        return this.expects(event, workerApi.setExits(id, exits, key));
      }
      case 'looks at a screen':
        workerApi.retryNow();
        this.expects('orders', workerApi.refreshOrders());
        return this.expects('list', workerApi.refreshList());
      case 'changes the language':
        return workerApi.setLanguage(random.pick(LANGUAGES));
      case 'hides the page':
        workerApi.setVisible(false);
        await this.pass(random.between(SECOND, 10 * MINUTE));
        return workerApi.setVisible(true);
      case 'goes offline':
        machine.changeNetwork();
        machine.online = false;
        workerApi.setOnline(false);
        await this.pass(random.between(SECOND, 5 * MINUTE));
        machine.online = true;
        return workerApi.setOnline(true);
      case 'changes the network':
        return machine.changeNetwork();
      case 'naps':
        return this.sleep(random.between(10 * SECOND, 30 * MINUTE));
      case 'loses a request':
        machine.loses = ['request'];
        return this.perform('buys');
      case 'loses a reply':
        machine.loses = ['reply'];
        return this.perform('sells');
      case 'is logged out elsewhere':
        return this.logOutElsewhere();
    }
  }

  /** The code of an instrument: mostly of one that is traded now. */
  private chosen(): string {
    const { instruments } = this.market;
    const open = instruments.filter(({ id }) => this.market.quote(id)?.marketOpen);
    return this.random.pick(this.random.chance(0.9) && open.length > 0 ? open : instruments).code;
  }

  /** Another device of the same user ends this one's session; the next call of this one is answered 999. */
  private async logOutElsewhere(): Promise<void> {
    const demo = await this.storage.get('demo-id');
    const { token } = await this.ask<SessionRow>(`/api/user/createAccountDemoForU?demo_id=${demo}`);
    const answer = await fetch(`${this.url}/api/user/session_end`, {
      method: 'POST',
      headers: { authorization: token, lang: 'en' },
      body: new URLSearchParams({ others: '1' }),
    });
    expect(await answer.json()).toMatchObject({ code: 1 });
    this.expects('orders', this.workerApi.refreshOrders());
  }

  private expects(what: string, result: Promise<{ ok: boolean }>): void {
    const done = result
      .then(({ ok }) => this.count(`${what}: ${ok ? 'done' : 'not done'}`))
      .finally(() => this.waiting.delete(done));
    this.waiting.add(done);
  }

  private async sleep(ms: number): Promise<void> {
    this.machine.asleep = true;
    await this.pass(ms, MINUTE);
    this.machine.wake();
  }

  /** Lets time pass, in steps after which nothing is in flight. */
  private async pass(ms: number, step = STEP): Promise<void> {
    const until = this.clock.now() + ms;
    do await this.step(Math.min(step, until - this.clock.now()));
    while (this.clock.now() < until);
  }

  private async step(ms: number): Promise<void> {
    const { machine, shown } = this;
    await this.clock.advance(ms, () => machine.inFlight === 0);
    // What the server has begun: prices, fills, commits.
    await this.market.exclusively(() => {});
    await machine.flushed();
    while (machine.inFlight > 0) await turn();
    shown.frames.length = 0;
    for (const candles of shown.candles.splice(0)) this.chart.apply(candles);
    for (const { type } of shown.events.splice(0)) {
      if (type !== 'signed-out') continue;
      this.count('signs in again');
      this.expects('sign in', this.workerApi.signInDemo());
    }
  }

  /** Waits until the page is live and knows the outcome of every request. */
  private async calm(): Promise<void> {
    await this.pass(10 * SECOND);
    this.expects('orders', this.workerApi.refreshOrders());
    const { shown } = this;
    for (let waited = 0; ; waited++) {
      const asking = this.waiting.size > 0 || shown.unanswered.length > 0;
      if (shown.connection?.state === 'live' && shown.user && !asking && waited > 5) return;
      if (waited > 300) expect.fail(`never calm: ${JSON.stringify(shown.connection)} ${asking}`);
      await this.pass(SECOND);
    }
  }

  /** The result of a call of the page, for which no time needs to pass. */
  private async answer<T>(call: Promise<T>): Promise<T> {
    let answered = false;
    const done = () => {
      answered = true;
    };
    call.then(done, done);
    for (let tries = 0; !answered; tries++) {
      if (tries > 1000) expect.fail('never answered');
      await this.step(0);
    }
    return call;
  }

  /** Asks the server directly, not through the client. */
  private async ask<T>(path: string, token = ''): Promise<T> {
    const answer = await fetch(this.url + path, { headers: { authorization: token, lang: 'en' } });
    const { code, data, msg } = (await answer.json()) as { code: number; data: T; msg: string };
    if (code !== 1) throw new Error(`${path}: ${code} ${msg}`);
    return data;
  }

  private async ordersOf(token: string, status: number): Promise<string[]> {
    const orders: string[] = [];
    for (let page = 1; ; page++) {
      const path = `/v1/api/forex/my_deal?status=${status}&limit=500&page=${page}`;
      const read = parse(orderList.answer, await this.ask(path, token));
      if (!read) throw new Error('a page that can not be read');
      orders.push(...read.rows.map(orderText));
      if (read.rows.length < 500) return orders.sort();
    }
  }

  private count(what: string): void {
    this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
  }
}
