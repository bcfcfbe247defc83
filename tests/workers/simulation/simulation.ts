import { expect } from 'vitest';
import type { ClientMessage } from '#domain/api/socket';
import { toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { type Bar, foldBars } from '#domain/market/kline';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { Reversed, SeenOrder } from '#domain/worker/trading';
import { FakeClock } from '../support/fakeClock';
import { klineRow } from '../support/klineRow';
import { PageChart } from '../support/pageChart';
import { TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from '../support/testWorker';
import { TICKET as TENTH } from '../support/ticket';
import { tickRow, ticks } from '../support/ticks';
import { type Episode, HEALED_AT, plan } from './faults';
import { CODES, STILL, script, TrueMarket, type TrueTick } from './market';
import { Network, type SimulatedSocket } from './network';
import { SeededRandom } from './seededRandom';

/** A one-minute and a five-minute bar end while faults are active. */
const BEGIN = Date.UTC(2026, 0, 5, 12, 4, 43);
/** Length of the history before the beginning, ms. */
const HISTORY_MS = 7 * 60_000;
/** The silence after which the connection must be shown as stale, and one frame, ms (protocol.md#staleness). */
const STALE_AFTER_MS = 10_000 + 50;
const MARKET = '/v1/api/forex';
const MINUTE_MS = 60_000;

const ACTIONS = [
  ...['submit', 'submit', 'submit', 'pending', 'pending', 'pending'],
  ...['close', 'part', 'cancel', 'stops', 'reverse', 'reverse'],
] as const;

/** An action of the user: on one of the own orders, or a new order. */
interface UserAction {
  at: number;
  what: (typeof ACTIONS)[number];
  /** Index of the user's own order. */
  order: number;
  key: string;
}

/** A change of an order by the market. */
interface MarketEvent {
  at: number;
  fill: boolean;
  id: number;
}

/** How an action of the user ended, as the page shows it; `unknown`: only towards a server without deadlines. */
export type ActionOutcome = 'done' | 'not done' | 'unknown';

export interface Outcome {
  state: unknown;
  /** By key. */
  actions: Map<string, ActionOutcome>;
  /** Keys that the server has executed. */
  executed: ReadonlySet<string>;
  /** From the end of the last fault until quotes and bars were correct, ms. */
  convergedAfter: number;
  submitted: number;
  /** Keys of new orders that the server has executed, and new orders. */
  accepted: number;
  booked: number;
  /** The longest silence after which the connection was still shown as live, ms. */
  silence: number;
}

/** Outcomes of a run with faults that the run without faults repeats: its actions end as they did there. */
export type Story = Pick<Outcome, 'actions' | 'executed'>;

const openedId = ({ opened }: Reversed) => (opened === 'unread' ? undefined : opened?.id);

/** A worker, its server, the market and the network between them, on one clock. */
export class Simulation {
  readonly clock = new FakeClock(toUnixMs(BEGIN));
  readonly network: Network;
  readonly testServer: TestServer;
  readonly worker: TestWorker;
  readonly market = new TrueMarket();
  readonly episodes: Episode[];
  readonly charts = { '1min': new PageChart(), '5min': new PageChart() };
  readonly #random: SeededRandom;
  readonly #faults: boolean;
  /** Whether the server sends the present state after a `sub` (protocol.md#present-state). */
  readonly #sendsPresentState: boolean;
  readonly #script: TrueTick[];
  readonly #actions: UserAction[];
  readonly #marketEvents: MarketEvent[];
  /** The last action on each of the user's own orders; resolves to the order's id. */
  readonly #own: Promise<number | undefined>[] = [];
  readonly #outcomes = new Map<string, ActionOutcome>();
  /** True times of each tap and of the last attempt to send it, by key. */
  readonly #tapped = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  readonly #alike: Story | undefined;
  #asleepUntil = 0;
  #backAt = 0;
  #silence = 0;

  /** A run with faults; with `alike`, one without faults that repeats the outcomes of another run. */
  constructor(seed: number, alike?: Story) {
    const story = new SeededRandom(seed);
    this.#faults = alike === undefined;
    this.#alike = alike;
    const deadlines = story.chance(0.75);
    const ahead = story.between(-7_200_000, 7_200_000);
    const countsSleep = story.chance(0.5);
    this.#sendsPresentState = story.chance(0.5);
    this.#random = new SeededRandom(seed ^ 0x5eed);
    for (const tick of script(story, BEGIN - HISTORY_MS, HISTORY_MS)) this.market.apply(tick);
    this.market.apply({ id: STILL, at: BEGIN, price: '1' });
    this.#script = script(story, BEGIN, HEALED_AT);
    this.#actions = actionsOf(story);
    this.#marketEvents = [1, 2, 3].map((id) => ({
      id,
      fill: id === 1,
      at: BEGIN + story.between(3_000, HEALED_AT - 1),
    }));
    this.episodes = plan(story);
    this.network = new Network(this.clock, this.#random);
    const storage = new MemoryStorage();
    storage.values.set('token', 'secret');
    const { clock, network } = this;
    const rows = [...CODES].map(([id, code]) => instrumentRow(id, code));
    this.worker = createTestWorker(rows, {
      clock,
      sockets: network,
      storage,
      random: this.#random.next,
      stopwatch: () => clock.steady - (countsSleep ? 0 : clock.slept),
    });
    this.testServer = new TestServer(this.worker, this.#list());
    this.testServer.deadlines = deadlines;
    this.testServer.wall = () => clock.steady + ahead;
    this.#serve();
  }

  async run(): Promise<Outcome> {
    const { worker, testServer } = this;
    // Three orders that only the market changes, and the user's own ones.
    testServer.open({ forex_id: '1', status: '0', cont: '0.2', target_price: '1.05' });
    testServer.open({ forex_id: '1', status: '1', cont: '0.3' });
    testServer.open({ forex_id: '2', status: '1', cont: '0.1' });
    for (let i = 0; i < OWN; i++) {
      const status = i % 2 ? '0' : '1';
      const { Id } = testServer.open({
        forex_id: `${STILL}`,
        status,
        cont: '0.1',
        target_price: '0.5',
      });
      this.#own.push(Promise.resolve(Id));
    }
    this.#closeBar();
    worker.start();
    worker.workerApi.watch({
      instruments: { add: [...CODES.keys()], remove: [] },
      candles: {
        add: [
          { instrumentId: 1, period: '1min' },
          { instrumentId: 1, period: '5min' },
        ],
        remove: [],
      },
    });
    for (const moment of this.#moments()) {
      await this.#pass(moment.at);
      moment.happen();
      this.#check();
    }
    await this.#pass(BEGIN + HEALED_AT);
    return this.#end();
  }

  /** All ticks, actions, market events and faults, in the order of time. */
  #moments(): { at: number; happen: () => void }[] {
    const moments = [
      ...this.#script.map((tick) => ({ at: tick.at, happen: () => this.#tick(tick) })),
      ...this.#actions.map((action) => ({ at: action.at, happen: () => this.#act(action) })),
      ...this.#marketEvents.map((event) => ({
        at: event.at,
        happen: () => this.#applyMarketEvent(event),
      })),
    ];
    if (this.#faults) {
      for (const { fault, from, until } of this.episodes) {
        const [begin, end] = [BEGIN + from, BEGIN + until];
        moments.push(
          { at: begin, happen: () => this.#begin(fault, end) },
          { at: end, happen: () => this.#stop(fault) },
        );
      }
    }
    return moments.sort((a, b) => a.at - b.at);
  }

  async #pass(at: number): Promise<void> {
    const { clock } = this;
    // A machine that sleeps runs no timers; messages that arrive meanwhile wait.
    if (at < this.#asleepUntil) return;
    if (clock.steady < this.#asleepUntil) {
      // Work that has begun continues until it waits for something.
      await clock.advance(0);
      clock.sleep(this.#asleepUntil - clock.steady);
      this.#backAt = clock.steady;
    }
    await clock.advance(Math.max(0, at - clock.steady));
  }

  #begin(fault: Episode['fault'], until: number): void {
    const { network, worker, clock } = this;
    network.begin(fault, until);
    if (fault === 'server killed') this.testServer.drop();
    if (fault === 'offline' || fault === 'page hidden') network.note(fault);
    if (fault === 'offline') worker.workerApi.setOnline(false);
    if (fault === 'page hidden') worker.workerApi.setVisible(false);
    if (fault === 'machine asleep') {
      network.note(fault);
      this.#asleepUntil = Math.max(this.#asleepUntil, until);
    }
    if (fault === 'clock set') {
      network.note(fault);
      clock.set(this.#random.pick([-3_600_000, -7_000, 7_000, 3_600_000]));
    }
  }

  #stop(fault: Episode['fault']): void {
    const { network, worker, clock } = this;
    network.end(fault);
    // Another fault of the same kind may have begun meanwhile.
    if (fault === 'offline') worker.workerApi.setOnline(true);
    if (fault === 'page hidden') worker.workerApi.setVisible(true);
    if (fault === 'page hidden') this.#backAt = clock.steady;
  }

  #tick(tick: TrueTick): void {
    const old = this.market.latest.get(tick.id);
    this.market.apply(tick);
    this.testServer.prices.set(tick.id, tick.price);
    const { network } = this;
    this.#push('DAY_MARKET', this.#row(tick));
    if (tick.id === 1) {
      this.#push('KLINE.EURUSD', klineRow(this.market.minutes.at(-1) as Bar));
    }
    if (network.all.length === 0) return;
    network.garbage();
    network.ghost(ticks(this.#row({ ...tick, at: tick.at + 1, price: '66.6' })));
    if (old && network.strikes('old tick again')) {
      network.note('old tick again');
      this.#push('DAY_MARKET', this.#row(old));
    }
  }

  /** Sends each bar once more after its end (protocol.md#kline-push). */
  #closeBar(): void {
    const { clock, market } = this;
    const end = Math.floor(clock.steady / MINUTE_MS + 1) * MINUTE_MS;
    clock.after(end - clock.steady, () => {
      const closed = market.minutes.findLast(({ time }) => time * 1000 === end - MINUTE_MS);
      if (closed) this.#push('KLINE.EURUSD', klineRow(closed));
      this.#closeBar();
    });
  }

  #applyMarketEvent({ id, fill }: MarketEvent): void {
    if (fill) this.testServer.fill(id);
    else this.testServer.end(id, 'stop_out');
  }

  /** Performs an action once the outcome of the one before on the same order is known. */
  #act({ what, order, key }: UserAction): void {
    const { workerApi } = this.worker;
    const twice = this.network.strikes('double tap');
    if (twice) this.network.note('double tap');
    const call = async (): Promise<number | undefined> => {
      const known = await this.#own[order];
      const id = what === 'submit' || what === 'pending' ? undefined : known;
      if (what === 'reverse') return this.#reverse(id, key, twice ? 2 : 1);
      // The outcome of the order is not known: the user leaves it alone.
      const left = this.#alike?.actions.get(key) === 'unknown';
      if (this.#alike?.executed.has(key) === false) return left ? undefined : id;
      this.#tapped.set(key, this.clock.steady);
      const results = await Promise.all(
        (twice ? [1, 2] : [1]).map(() => {
          if (what === 'submit') return workerApi.submit(TICKET, key);
          if (what === 'pending') return workerApi.submit(PENDING, key);
          if (what === 'close') return workerApi.closeOrder(seen(id), key);
          if (what === 'part') return workerApi.closePart(seen(id), '0.03', key);
          if (what === 'cancel') return workerApi.cancelOrder(id ?? 0, key);
          return workerApi.setExits(
            id ?? 0,
            { stopLoss: '0.25', takeProfit: '1.75', trailing: '0.5' },
            key,
          );
        }),
      );
      const [result] = results;
      for (const other of results) expect(other?.ok).toBe(result?.ok);
      const unknown = result?.ok === false && result.failure.kind === 'unanswered';
      this.#outcomes.set(key, unknown ? 'unknown' : result?.ok ? 'done' : 'not done');
      if (unknown || left) return undefined;
      return result?.ok ? (result.data.data?.id ?? id) : id;
    };
    const done = call();
    if (what === 'submit' || what === 'pending') this.#own.push(done);
    else this.#own[order] = done;
  }

  /**
   * Reverses a position. The user goes on with the new one where it is known to be open, otherwise
   * with the old one, which has ended.
   */
  async #reverse(id: number | undefined, key: string, taps: number): Promise<number | undefined> {
    const { workerApi } = this.worker;
    const open = oppositeKey(key);
    const alike = this.#alike;
    const left = alike?.actions.get(key) === 'unknown';
    if (alike?.executed.has(key) === false) return left ? undefined : id;
    for (const each of [key, open]) this.#tapped.set(each, this.clock.steady);
    if (alike?.executed.has(open) === false) {
      const result = await workerApi.closeOrder(seen(id), key);
      this.#outcomes.set(key, result.ok ? 'done' : 'not done');
      return left ? undefined : id;
    }
    const results = await Promise.all(
      Array.from({ length: taps }, () =>
        workerApi.reverseOrder(seen(id), '1', { close: key, open }),
      ),
    );
    const [result] = results;
    for (const other of results) {
      expect(other.ok).toBe(result?.ok);
      if (other.ok && result?.ok) expect(openedId(other.data)).toBe(openedId(result.data));
    }
    const unknown = result?.ok === false && result.failure.kind === 'unanswered';
    this.#outcomes.set(key, unknown ? 'unknown' : result?.ok ? 'done' : 'not done');
    if (unknown || left) return undefined;
    if (!result?.ok) return id;
    // The banner says whether an opposite order that was not placed may have been.
    this.#outcomes.set(open, result.data.opened ? 'done' : 'not done');
    return alike === undefined || alike.actions.get(open) === 'done'
      ? (openedId(result.data) ?? id)
      : id;
  }

  /** Fails on what must never be shown: a price or a bar that never was, or a silent connection as live. */
  #check(): void {
    const { shown } = this.worker;
    for (const candles of shown.candles.splice(0)) {
      const chart = this.charts[candles.period as '1min' | '5min'];
      chart.apply(candles);
      const truth = foldBars(this.market.minutes, candles.period);
      const from = truth.findIndex(({ time }) => time === chart.bars[0]?.time);
      for (const [index, bar] of chart.bars.slice(0, -1).entries())
        if (!isSame(bar, truth[from + index]))
          expect(bar, 'a closed bar').toEqual(truth[from + index]);
    }
    for (const [id, { close, time }] of shown.quotes) {
      const known = Number.isNaN(close) || this.market.was(id, time, close);
      if (!known) expect.fail(`instrument ${id} never stood at ${close} at ${time}`);
    }
    const { steady } = this.clock;
    const quiet = steady - this.network.receivedAt;
    const blind =
      this.network.active.has('page hidden') ||
      steady < Math.max(this.#asleepUntil, this.#backAt + 100);
    if (shown.connection?.state !== 'live' || blind) return;
    this.#silence = Math.max(this.#silence, quiet);
    if (quiet > STALE_AFTER_MS) expect.fail(`live after a silence of ${quiet} ms`);
  }

  async #end(): Promise<Outcome> {
    const { clock, worker, network, testServer } = this;
    for (const { fault } of this.episodes) if (network.active.has(fault)) this.#stop(fault);
    // The worker has to detect a dead socket first; `replacedAfter` measures that.
    while (network.last.diedAt !== undefined) await clock.advance(25);
    const back = clock.steady;
    while (!this.#converged()) {
      expect(clock.steady - back, 'never converged').toBeLessThan(60_000);
      await clock.advance(25);
      this.#check();
    }
    const convergedAfter = clock.steady - back;
    await this.#settled();
    this.#check();
    const submitted = this.#actions.flatMap(({ what, key }) => {
      if (what === 'submit' || what === 'pending') return key;
      return what === 'reverse' && this.#outcomes.has(oppositeKey(key)) ? oppositeKey(key) : [];
    });
    for (const { key, state } of worker.shown.unanswered)
      if (state === 'unknown' && closeKey(key)) this.#outcomes.set(key, 'unknown');
    this.#checkActions();
    const reported = worker.shown.events.flatMap((event) =>
      event.type === 'order-closed' ? [event.order.id] : [],
    );
    expect(new Set(reported).size, 'an end reported twice').toBe(reported.length);
    for (const event of worker.shown.events)
      expect(['signed-out', 'leave', 'new-version']).not.toContain(event.type);
    return {
      state: await this.#state(),
      actions: this.#outcomes,
      executed: new Set(testServer.executed.keys()),
      convergedAfter,
      submitted: submitted.length,
      accepted: submitted.filter((key) => testServer.executed.has(key)).length,
      booked: testServer.orders.size - testServer.parts - OWN - 3,
      silence: this.#silence,
    };
  }

  /** Fails where the page shows a wrong outcome, or where a call was executed after its deadline. */
  #checkActions(): void {
    const { executed, deadlines, wall } = this.testServer;
    const { unanswered } = this.worker.shown;
    const ahead = wall() - this.clock.steady;
    for (const [key, outcome] of this.#outcomes) {
      const until = (this.#tapped.get(key) ?? 0) + ORDER_TIME_MS;
      const done = executed.has(key);
      const asked = unanswered.find((request) => request.key === key);
      if (outcome === 'unknown') {
        expect(deadlines, 'not known in the end').toBe(false);
        expect(asked?.state, 'an unknown outcome is shown').toBe('unknown');
        expect(done && asked?.orders?.length === 0, 'done, but not found').toBe(false);
      } else {
        expect(done, `${key} was shown as ${outcome}`).toBe(outcome === 'done');
        // Only a reversal that is half done stays, with the key of the order that was not placed.
        const half = outcome === 'not done' && this.#outcomes.get(closeKey(key)) === 'done';
        expect(asked?.state, 'known, but still asked for').toBe(half ? 'half' : undefined);
      }
      if (deadlines && done)
        expect((executed.get(key) ?? 0) - ahead, 'done late').toBeLessThanOrEqual(until);
      if (!deadlines && !this.#confused)
        expect(this.#sent.get(key) ?? 0, 'sent late').toBeLessThanOrEqual(until);
    }
  }

  /** Whether the machine slept and had its clock set, so that none of its clocks measures how long. */
  get #confused(): boolean {
    const { happened } = this.network;
    return happened.has('machine asleep') && happened.has('clock set');
  }

  /** Resolves once every action has its outcome and the balances were fetched after it. */
  async #settled(): Promise<void> {
    await this.#answer(Promise.all(this.#own), 'a command was never answered');
    await this.clock.advance(5_000);
  }

  /** The result of `promise` while the clock goes on; fails with `message` after two minutes. */
  async #answer<T>(promise: Promise<T>, message: string): Promise<T> {
    let answered = false;
    const done = () => {
      answered = true;
    };
    void promise.then(done, done);
    for (let waited = 0; !answered; waited += 500) {
      if (waited > 120_000) expect.fail(message);
      await this.clock.advance(500);
    }
    return promise;
  }

  /** Whether quotes and bars on the page are those of the market, and shown as live. */
  #converged(): boolean {
    const { shown } = this.worker;
    const last = this.market.minutes.at(-1);
    return (
      shown.connection?.state === 'live' &&
      [...this.market.latest.values()].every(({ id, price }) => {
        const quote = shown.quotes.get(id);
        return quote?.close === Number(price) && !quote.stale;
      }) &&
      this.charts['1min'].bars.at(-1)?.close === last?.close &&
      this.charts['1min'].bars.at(-1)?.volume === last?.volume
    );
  }

  /** What the user sees in the end, without times and ids. */
  async #state(): Promise<unknown> {
    const { workerApi, shown } = this.worker;
    const orders = [];
    for (const status of ['pending', 'holding', 'closed'] as const) {
      const result = await this.#answer(
        workerApi.orders(status, 0, 1000),
        `${status} orders were never listed`,
      );
      if (!result.ok) throw new Error(`${status}: ${JSON.stringify(result.failure)}`);
      const texts = result.data.orders.map((order) =>
        [
          status,
          order.instrumentId,
          order.side,
          ...[order.lots, order.price, order.profit, order.margin, order.fee].map(toText),
          ...[order.stopLoss, order.takeProfit, order.originPrice].map(toText),
          order.closeReason,
        ].join(' '),
      );
      orders.push(texts.sort(), result.data.total, result.data.profit);
    }
    return {
      orders,
      quotes: [...shown.quotes].map(([id, { close, open, time, stale, marketOpen }]) => [
        ...[id, close, open, time, stale, marketOpen],
      ]),
      bars: Object.values(this.charts).map(({ bars }) => bars),
      account: shown.account,
      executed: [...this.testServer.executed.keys()].sort(),
    };
  }

  #serve(): void {
    const { server } = this.worker;
    const { network } = this;
    const testServer = network.onSent;
    network.onSent = (message, socket) => {
      testServer?.(message, socket);
      this.#receive(message, socket as SimulatedSocket);
    };
    server.on(`${MARKET}/trade_list`, () => ({ data: this.#list() }));
    server.on(`${MARKET}/kline`, ({ params }) => {
      const { period, before } = params as { period: '1min' | '5min'; before?: string };
      const bars = foldBars(this.market.minutes, period);
      const older = bars.filter(({ time }) => before === undefined || time < Number(before));
      return { data: older.slice(-500).map(klineRow) };
    });
    for (const [path, route] of server.routes)
      server.on(path, (asked) => {
        const key = asked.headers['idempotency-key'];
        if (key) this.#sent.set(key, this.clock.steady);
        return network.carry(asked, route);
      });
  }

  #receive(message: ClientMessage, socket: SimulatedSocket): void {
    if (message.type === 'ping')
      socket.receive({ type: 'pong', now: this.clock.steady, wall: this.testServer.wall() });
    if (message.type === 'unsub') socket.topics.delete(message.topic);
    if (message.type !== 'sub' || socket.topics.has(message.topic)) return;
    socket.topics.add(message.topic);
    if (!this.#sendsPresentState) return;
    const latest = [...this.market.latest.values()].map((tick) => this.#row(tick));
    const last = this.market.minutes.at(-1);
    if (message.topic === 'DAY_MARKET') socket.receive(ticks(...latest));
    if (message.topic === 'KLINE.EURUSD' && last)
      socket.receive({ type: message.topic, data: klineRow(last) });
  }

  #push(topic: string, data: unknown): void {
    const socket = this.network.all.at(-1) as SimulatedSocket | undefined;
    if (socket?.topics.has(topic)) socket.receive({ type: topic, data });
  }

  #row({ id, at, price }: TrueTick) {
    return tickRow(id, CODES.get(id) ?? '', price, { Time: at });
  }

  #list() {
    return [...this.market.latest.values()].map(({ id, at, price }) =>
      instrumentRow(id, CODES.get(id) ?? '', {
        ForexQuotations: { Open: '1', Close: price, Change: '0', Time: at },
      }),
    );
  }
}

/** How long an order may be executed after it was confirmed. */
const ORDER_TIME_MS = 5000;
/** The user's own orders at the beginning. */
const OWN = 6;
const TICKET: TicketInput = { ...TENTH, instrumentId: STILL };
const PENDING: TicketInput = { ...TICKET, type: 'pending', side: 'sell', targetPrice: '1.5' };

/** The key of a reversal's opposite order, by that of its close; and back, empty for any other key. */
const oppositeKey = (key: string) => key.replace(KEY, OPPOSITE_KEY);
export const closeKey = (key: string) =>
  key.startsWith(OPPOSITE_KEY) ? key.replace(OPPOSITE_KEY, KEY) : '';
const KEY = '6f1f0a52';
const OPPOSITE_KEY = '7f1f0a52';

function actionsOf(story: SeededRandom): UserAction[] {
  const times = Array.from({ length: story.between(11, 20) }, () =>
    story.between(3_000, HEALED_AT - 1),
  ).sort((a, b) => a - b);
  let orders = OWN;
  return times.map((at, index) => {
    const what = story.pick(ACTIONS);
    const order = story.between(0, orders - 1);
    if (what === 'submit' || what === 'pending') orders += 1;
    const key = `${KEY}-4c2f-4a57-9c7a-${String(index).padStart(12, '0')}`;
    return { at: BEGIN + at, what, order, key };
  });
}

function isSame(a: Bar, b: Bar | undefined): boolean {
  return (
    a.time === b?.time &&
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low &&
    a.close === b.close &&
    a.volume === b.volume
  );
}

/** Its user does not look at the lots. */
const seen = (id: number | undefined): SeenOrder => ({ id: id ?? 0, lots: ZERO });
