import { expect, vi } from 'vitest';
import type { ClientMessage } from '#domain/api/socket';
import { toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { type Bar, foldBars } from '#domain/market/kline';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { UnansweredRequest } from '#domain/worker/requests';
import type { Reversed, SeenOrder } from '#domain/worker/trading';
import type { WorkerApi } from '#domain/worker/workerApi';
import type { Storage } from '../../../workers/core/ports';
import { createStorage } from '../../../workers/core/storage';
import { FakeClock } from '../support/fakeClock';
import { klineRow } from '../support/klineRow';
import { PageChart } from '../support/pageChart';
import { ScriptedIndexedDb, scriptedKeyRange } from '../support/scriptedIndexedDb';
import { ScriptedTabs } from '../support/scriptedTabs';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, serverOf, type TestWorker } from '../support/testWorker';
import { TICKET as TENTH } from '../support/ticket';
import { tickRow, ticks } from '../support/ticks';
import { type Episode, type Fault, HEALED_AT, plan } from './faults';
import { CODES, STILL, script, TrueMarket, type TrueTick } from './market';
import { Network, type SimulatedSocket } from './network';
import { PageLife } from './pageLife';
import { SeededRandom } from './seededRandom';

/** A one-minute and a five-minute bar end while faults are active. */
const BEGIN = Date.UTC(2026, 0, 5, 12, 4, 43);
/** Length of the history before the beginning, ms. */
const HISTORY_MS = 7 * 60_000;
/** The silence after which the connection must be shown as stale, and one frame, ms (protocol.md#staleness). */
const STALE_AFTER_MS = 10_000 + 50;
/** A new page without a websocket polls after 20 s at most, and then takes a hung call for lost after three polls. */
const POLLED_WITHIN_MS = 30_000;
/** How far the server's clock may be ahead of itself where a call has told it, ms (D73). */
const HALF_A_CALL_MS = 1000;
const MARKET = '/v1/api/forex';
const MINUTE_MS = 60_000;

const ACTIONS = [
  ...['submit', 'submit', 'submit', 'pending', 'pending', 'pending'],
  ...['close', 'part', 'cancel', 'stops', 'amend', 'reverse', 'reverse'],
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

/**
 * How an action of the user ended, as the page shows it. `unknown`: only where calls have no deadlines; `page gone`: the
 * browser discarded the page before it had an answer.
 */
export type ActionOutcome = 'done' | 'not done' | 'unknown' | 'page gone';

/** Outcomes after which the user leaves the order alone. */
const isLeft = (outcome: ActionOutcome | undefined) =>
  outcome === 'unknown' || outcome === 'page gone';

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
  /** The worker of the page that is open. */
  worker: TestWorker;
  readonly market = new TrueMarket();
  readonly episodes: Episode[];
  charts = { '1min': new PageChart(), '5min': new PageChart() };
  readonly #database = new ScriptedIndexedDb();
  readonly #tabs = new ScriptedTabs();
  readonly #stopwatch: () => number;
  #page: PageLife;
  #pages = 0;
  #storageAt = 0;
  /** Whether the worker says that the database lacks something. */
  #unsaved = false;
  /** Levels of the alerts that the page has confirmed. */
  readonly #alerts = new Set<string>();
  /** Ends of orders that pages have reported. */
  readonly #reported: number[] = [];
  readonly #random: SeededRandom;
  readonly #faults: boolean;
  /** Whether the server sends the present state after a `sub` (protocol.md#present-state). */
  readonly #sendsPresentState: boolean;
  readonly #script: TrueTick[];
  readonly #actions: UserAction[];
  readonly #marketEvents: MarketEvent[];
  readonly #alertTimes: number[];
  /** The last action on each of the user's own orders; resolves to the order's id. */
  readonly #own: Promise<number | undefined>[] = [];
  readonly #outcomes = new Map<string, ActionOutcome>();
  /** True times of each tap and of the last attempt to send it, by key. */
  readonly #tapped = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  readonly #alike: Story | undefined;
  /** Whether the page has polled: its clock may be of a call. */
  #polled = false;
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
    this.#alertTimes = [1, 2, 3].map(() => BEGIN + story.between(3_000, HEALED_AT - 1));
    const { clock } = this;
    this.#stopwatch = () => clock.steady - (countsSleep ? 0 : clock.slept);
    this.#page = new PageLife(clock, this.#random);
    this.network = new Network(clock, this.#random, this.#page);
    this.network.blocked = this.#faults && new SeededRandom(seed ^ 0xb10c).chance(0.15);
    this.#database.stored = new Map([['token', 'secret']]);
    this.#database.version = 1;
    this.#database.soon = (go) => {
      const page = this.#page;
      const at = clock.steady + this.#random.between(0, 8);
      this.#storageAt = Math.max(this.#storageAt, at);
      clock.after(this.#storageAt - clock.steady, () => page.enter('storage', go));
    };
    vi.stubGlobal('indexedDB', this.#database.factory);
    vi.stubGlobal('IDBKeyRange', scriptedKeyRange);
    this.worker = this.#createWorker();
    this.testServer = new TestServer(this.worker, this.#list());
    this.testServer.deadlines = deadlines;
    this.testServer.wall = () => clock.steady + ahead;
    this.#serve();
  }

  /** The worker of a page that is opened; with the same server as the one before. */
  #createWorker(): TestWorker {
    const { clock, network } = this;
    const page = this.#page;
    const rows = [...CODES].map(([id, code]) => instrumentRow(id, code));
    const server = this.worker?.server ?? serverOf(rows);
    const pageClock = page.clock();
    const logger = { log: () => {}, warn: () => {} };
    this.#pages += 1;
    return createTestWorker(rows, {
      ...{ clock, server, sockets: network, tabs: this.#tabs, random: this.#random.next },
      stopwatch: this.#stopwatch,
      ports: {
        clock: pageClock,
        storage: this.#listenTo(createStorage(logger, pageClock)),
        adapter: page.adapter(server.adapter),
      },
    });
  }

  #listenTo(storage: Storage): Storage {
    this.#unsaved = false;
    return {
      ...storage,
      listen: (listener) =>
        storage.listen({
          ...listener,
          unsavedChanged: (unsaved) => {
            this.#unsaved = unsaved;
            listener.unsavedChanged(unsaved);
          },
        }),
    };
  }

  /** Starts the worker of the page, and opens its charts. */
  #start(): void {
    const { worker } = this;
    worker.start({ visible: !this.#hidden });
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
  }

  async run(): Promise<Outcome> {
    const { testServer } = this;
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
    this.#start();
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
      for (const [index, at] of this.#alertTimes.entries())
        moments.push({ at, happen: () => void this.#setAlert(`${index + 2}`) });
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
    const { network, clock } = this;
    network.begin(fault, until);
    if (fault === 'server killed') this.testServer.drop();
    if (fault === 'offline') {
      network.note(fault);
      this.#tell((workerApi) => workerApi.setOnline(false));
    }
    if (fault === 'page hidden') {
      network.note(fault);
      this.#tell((workerApi) => workerApi.setVisible(false));
    }
    if (fault === 'page frozen' || fault === 'page kept for Back') this.#freeze(fault);
    if (fault === 'page discarded') this.#discard();
    if (fault === 'database silent') this.#database.isSilent = true;
    if (fault === 'database connections lost') this.#database.loseConnections();
    if (fault.startsWith('database')) network.note(fault);
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
    const { network } = this;
    network.end(fault);
    // Another fault of the same kind may have begun meanwhile.
    if (fault === 'offline') this.#tell((workerApi) => workerApi.setOnline(true));
    if (fault === 'database silent') this.#database.answer();
    if (!fault.startsWith('page')) return;
    if (fault === 'page discarded') this.#reopen();
    else if (!this.#frozen) this.#thaw();
    this.#show();
  }

  /** Whether the page is frozen by one of the faults that are active. */
  get #frozen(): boolean {
    const { active } = this.network;
    return active.has('page frozen') || active.has('page kept for Back');
  }

  get #hidden(): boolean {
    return this.#frozen || this.network.active.has('page hidden');
  }

  /** The page tells its worker, which hears of it when it runs. */
  #tell(message: (workerApi: WorkerApi) => void): void {
    const { workerApi } = this.worker;
    this.#page.enter('page', () => message(workerApi));
  }

  #show(): void {
    if (this.#hidden) return;
    this.#backAt = this.clock.steady;
    this.#tell((workerApi) => workerApi.setVisible(true));
  }

  #freeze(fault: Episode['fault']): void {
    const { network, clock } = this;
    if (this.#page.isGone) return;
    network.note(fault);
    const hide = () => this.#tell((workerApi) => workerApi.setVisible(false));
    const isHeard = this.#random.chance(0.5);
    if (isHeard) hide();
    network.frozenSince ??= clock.steady;
    this.#page.freeze();
    if (!isHeard) hide();
    // Browsers close the sockets of such pages.
    if (fault === 'page kept for Back') this.testServer.drop();
  }

  #thaw(): void {
    const { network, clock } = this;
    if (this.#page.isGone || network.frozenSince === undefined) return;
    network.frozen += clock.steady - network.frozenSince;
    network.frozenSince = undefined;
    this.#page.thaw();
  }

  /** The browser ends the page and its worker, in the middle of anything. */
  #discard(): void {
    const { network, worker } = this;
    if (this.#page.isGone) return;
    network.note('page discarded');
    this.#collect(worker);
    this.#page.discard();
    this.testServer.drop();
    this.#tabs.end(this.#pages);
    network.frozenSince = undefined;
  }

  /** The user comes back to the page: the browser loads it again. */
  #reopen(): void {
    if (!this.#page.isGone || this.network.active.has('page discarded')) return;
    this.#page = new PageLife(this.clock, this.#random);
    this.network.page = this.#page;
    this.charts = { '1min': new PageChart(), '5min': new PageChart() };
    this.worker = this.#createWorker();
    this.#start();
    if (this.network.active.has('offline')) this.#tell((workerApi) => workerApi.setOnline(false));
    if (this.#frozen) this.#freeze('page frozen');
  }

  /** The page in front of the user, who waits until it says who is logged in. */
  async #seen(): Promise<{ workerApi: WorkerApi; gone: Promise<undefined> }> {
    while (!this.#page.runs || !this.worker.shown.user)
      await new Promise<void>((resolve) => {
        this.clock.after(50, resolve);
      });
    return { workerApi: this.worker.workerApi, gone: this.#page.gone.then(() => undefined) };
  }

  /** Notes what a page has reported. */
  #collect({ shown }: TestWorker): void {
    for (const event of shown.events) {
      expect(['signed-out', 'leave', 'new-version']).not.toContain(event.type);
      if (event.type === 'order-closed') this.#reported.push(event.order.id);
    }
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
    const twice = this.network.strikes('double tap');
    if (twice) this.network.note('double tap');
    const call = async (): Promise<number | undefined> => {
      const known = await this.#own[order];
      const id = what === 'submit' || what === 'pending' ? undefined : known;
      const { workerApi, gone } = await this.#seen();
      if (what === 'reverse') return this.#reverse(id, key, twice ? 2 : 1);
      // The outcome of the order is not known: the user leaves it alone.
      const left = isLeft(this.#alike?.actions.get(key));
      if (this.#alike?.executed.has(key) === false) return left ? undefined : id;
      this.#tapped.set(key, this.clock.steady);
      const answers = Promise.all(
        (twice ? [1, 2] : [1]).map(() => {
          if (what === 'submit') return workerApi.submit(TICKET, key);
          if (what === 'pending') return workerApi.submit(PENDING, key);
          if (what === 'close') return workerApi.closeOrder(seen(id), key);
          if (what === 'part') return workerApi.closePart(seen(id), '0.03', key);
          if (what === 'cancel') return workerApi.cancelOrder(id ?? 0, key);
          if (what === 'amend') return workerApi.amendOrder(id ?? 0, TERMS, key);
          return workerApi.setExits(
            id ?? 0,
            { stopLoss: '0.25', takeProfit: '1.75', trailing: '0.5' },
            key,
          );
        }),
      );
      const results = await Promise.race([answers, gone]);
      if (!results) {
        this.#outcomes.set(key, 'page gone');
        return undefined;
      }
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
    const open = oppositeKey(key);
    const alike = this.#alike;
    const left = isLeft(alike?.actions.get(key));
    if (alike?.executed.has(key) === false) return left ? undefined : id;
    const { workerApi, gone } = await this.#seen();
    for (const each of [key, open]) this.#tapped.set(each, this.clock.steady);
    if (alike?.executed.has(open) === false) {
      const result = await workerApi.closeOrder(seen(id), key);
      this.#outcomes.set(key, result.ok ? 'done' : 'not done');
      return left ? undefined : id;
    }
    const answers = Promise.all(
      Array.from({ length: taps }, () =>
        workerApi.reverseOrder(seen(id), '1', { close: key, open }),
      ),
    );
    const results = await Promise.race([answers, gone]);
    if (!results) {
      for (const each of [key, open]) this.#outcomes.set(each, 'page gone');
      return undefined;
    }
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

  /** Sets an alert far from the price. */
  async #setAlert(price: string): Promise<void> {
    const { workerApi, gone } = await this.#seen();
    const form = { instrumentId: STILL, price, quote: '', repeat: false, note: '' };
    const set = workerApi.addAlert({ ...form, until: undefined }, `alert-${price}`);
    // The page says so where nothing can be stored.
    if ((await Promise.race([set, gone]))?.ok && !this.#unsaved) this.#alerts.add(price);
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
      this.#hidden || !this.#page.runs || steady < Math.max(this.#asleepUntil, this.#backAt + 100);
    const { state } = shown.connection ?? {};
    if (state === 'slow') this.#polled = true;
    if ((state !== 'live' && state !== 'slow') || blind) return;
    this.#silence = Math.max(this.#silence, quiet);
    if (quiet > STALE_AFTER_MS) expect.fail(`${state} after a silence of ${quiet} ms`);
  }

  async #end(): Promise<Outcome> {
    const { clock, network, testServer } = this;
    for (const { fault } of this.episodes) if (network.active.has(fault)) this.#stop(fault);
    const { worker } = this;
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
    this.#collect(worker);
    const reported = this.#reported;
    expect(new Set(reported).size, 'an end reported twice').toBe(reported.length);
    await this.#checkAlerts();
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
      if (asked && this.#isTakenOver(asked)) {
        const found = executed.has(oppositeKey(key)) || (asked.orders ?? []).length > 0;
        expect(asked.state, 'the opposite order').toBe(found ? 'unknown' : 'half');
        if (found) expect(asked.orders, 'the opposite order is found').not.toEqual([]);
      } else if (outcome === 'page gone') {
        // The next page has found out, or says that nobody can.
        expect(['asking', 'busy', deadlines && !this.#lacksClock && 'unknown']).not.toContain(
          asked?.state,
        );
      } else if (outcome === 'unknown') {
        expect(deadlines && !this.#lacksClock, 'not known in the end').toBe(false);
        if (asked || !this.#forgets)
          expect(asked?.state, 'an unknown outcome is shown').toBe('unknown');
        // Without a pong nothing tells the market's clock once this machine's was set.
        const isLost = this.network.blocked && this.network.happened.has('clock set');
        if (!isLost) expect(done && asked?.orders?.length === 0, 'done, but not found').toBe(false);
      } else {
        expect(done, `${key} was shown as ${outcome}`).toBe(outcome === 'done');
        // Only a reversal that is half done stays, with the key of the order that was not placed or that of the close.
        const isKnown = unanswered.some((request) => request.key === closeKey(key));
        const isHalf = outcome === 'not done' && this.#outcomes.get(closeKey(key)) === 'done';
        const half = isHalf && !isKnown;
        if (asked?.state !== 'unknown' || !this.#forgets)
          expect(asked?.state, 'known, but still asked for').toBe(half ? 'half' : undefined);
      }
      if (deadlines && done)
        expect((executed.get(key) ?? 0) - ahead, 'done late').toBeLessThanOrEqual(
          until + (this.#timedByCalls ? HALF_A_CALL_MS : 0),
        );
      if (!deadlines && !this.#confused)
        expect(this.#sent.get(key) ?? 0, 'sent late').toBeLessThanOrEqual(until);
    }
  }

  /** Fails where an alert is lost, or there twice. */
  async #checkAlerts(): Promise<void> {
    const { workerApi } = this.worker;
    const listed = await this.#answer(workerApi.alerts(false), 'alerts were never listed');
    if (!listed.ok) throw new Error(JSON.stringify(listed.failure));
    const levels = listed.data.alerts.map(({ price }) => toText(price));
    expect(new Set(levels).size, 'an alert twice').toBe(levels.length);
    for (const level of this.#alerts) expect(levels, 'an alert is lost').toContain(level);
  }

  /** Whether a page tells of a reversal whose close an earlier one has begun, and of which it knows nothing more. */
  #isTakenOver({ key, subject }: UnansweredRequest): boolean {
    return (
      subject.kind === 'opposite' &&
      !closeKey(key) &&
      this.network.happened.has('page discarded') &&
      (this.#outcomes.get(key) === 'page gone' || this.network.happened.has('database silent'))
    );
  }

  /** Whether a page may have ended with an outcome that it could not store, and the next one can't ask again. */
  get #forgets(): boolean {
    const { happened } = this.network;
    const isUnstored = CANNOT_STORE.some((fault) => happened.has(fault));
    return isUnstored && happened.has('page discarded') && !this.testServer.deadlines;
  }

  /** Whether a call may have told the server's clock: no pong has come to this page yet, or none since this machine's clock was set. */
  get #timedByCalls(): boolean {
    const { happened } = this.network;
    return this.#polled || happened.has('clock set') || happened.has('page discarded');
  }

  /** Whether the server's clock may be unknown, as calls were too slow and no pong comes: then a call has no deadline (protocol.md#no-clock). */
  get #lacksClock(): boolean {
    return this.network.blocked && this.network.happened.has('replies crosswise');
  }

  /** Whether the machine slept and had its clock set, so that none of its clocks measures how long. */
  get #confused(): boolean {
    const { happened } = this.network;
    return happened.has('machine asleep') && happened.has('clock set');
  }

  /** Resolves once every action has its outcome and the balances were fetched after it. */
  async #settled(): Promise<void> {
    await this.#answer(Promise.all(this.#own), 'a command was never answered');
    await this.clock.advance(this.network.blocked ? POLLED_WITHIN_MS : 5_000);
    const { shown } = this.worker;
    const isAsked = () =>
      shown.unanswered.some(({ state }) => state !== 'unknown' && state !== 'half');
    for (let waited = 0; isAsked(); waited += 500) {
      if (waited > 120_000) expect.fail('an outcome was never found');
      await this.clock.advance(500);
    }
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
      shown.connection?.state === (this.network.blocked ? 'slow' : 'live') &&
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
      const list = () =>
        this.#answer(workerApi.orders(status, 0, 1000), `${status} orders were never listed`);
      let result = await list();
      // A call that hung has just failed, and is repeated.
      for (let waited = 0; !result.ok && waited < 20_000; waited += 500) {
        await this.clock.advance(500);
        result = await list();
      }
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

/** Faults in which a page may end before it has stored what it knows. */
const CANNOT_STORE: readonly Fault[] = ['page frozen', 'page kept for Back', 'database silent'];
/** How long an order may be executed after it was confirmed. */
const ORDER_TIME_MS = 5000;
/** The user's own orders at the beginning. */
const OWN = 6;
const TICKET: TicketInput = { ...TENTH, instrumentId: STILL };
const PENDING: TicketInput = { ...TICKET, type: 'pending', side: 'sell', targetPrice: '1.5' };
const TERMS = { ...PENDING, lots: '0.07', targetPrice: '1.6', until: toUnixMs(9e12) };

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
