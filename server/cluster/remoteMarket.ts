import {
  type DurationMs,
  latest,
  timeAfter,
  toDurationMs,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import { FailureLog } from '../core/failureLog';
import type { Log } from '../core/log';
import type { SerialQueue } from '../core/serialQueue';
import { DatabaseUnavailable } from '../db/unavailable';
import { learnDecimals, learnOfBars } from '../market/learnDecimals';
import type { MarketListener, MarketQuote, MarketView } from '../market/market';
import { MarketListeners } from '../market/marketListeners';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { ClockOffset } from './clockOffset';
import { askDescription, identityOf, type MarketDescription } from './description';
import { pageQuestion } from './marketPublisher';
import {
  decodeMarketUpdate,
  decodePage,
  type InstrumentState,
  type MarketUpdate,
  type MarketUpdateEvent,
  type SnapshotPage,
} from './marketUpdate';

/** A question for bars. */
export interface BarsQuestion {
  instrumentId: number;
  period: Period;
  limit: number;
  before?: UnixSeconds;
}

/** A part of each question: the highest that the reader knows. A former release leaves it out. */
export interface KnownEpoch {
  epoch?: number;
}

export interface RemoteMarketOptions {
  bus: Bus;
  clock: Clock;
  log: Log;
  /** Whom users are told that no prices come from. */
  name: string;
  /** Updates were missed, and others learn nothing of what was in them. The market is that of now again: who asks gets nothing of before. */
  onGap(): void;
  /** The feed is another one: it has other instruments, so this process has to start again. */
  onOtherMarket(): void;
  /**
   * Where what happens on the market takes its turn with other work, and waits for those who match. Absent: it is told as
   * it comes.
   */
  queue?: SerialQueue;
}

/** The feed sends something every second; after this silence its prices are not shown as prices of now. */
const LOST_MS = toDurationMs(5_000);
const CHECK_MS = toDurationMs(1_000);
/** A snapshot that took longer may have been on its way for as long: it does not tell the present. */
const LATE_MS = 1_000;
/** Between two attempts to get a snapshot. */
const RETRY_MS = toDurationMs(250);
/** Updates that wait for a snapshot; with more, another snapshot is cheaper. */
const MOST_WAITING = 5_000;

/**
 * The market of a feed, in another process (architecture.md#cluster). Updates are applied in order; where one is missing, a
 * snapshot of the present replaces what was missed.
 */
export class RemoteMarket implements MarketView {
  readonly feed: string;
  readonly instruments: readonly Instrument[];
  readonly categories: MarketView['categories'];
  readonly byMinute: boolean;
  readonly hasBook: boolean;
  private readonly byId: ReadonlyMap<number, Instrument>;
  private readonly options: RemoteMarketOptions;
  private readonly identity: string;
  protected readonly listeners: MarketListeners;
  private readonly states = new Map<number, InstrumentState>();
  /** The time of the last tick, of any instrument, that has arrived. */
  protected reached = toUnixMs(0);
  private epoch = 0;
  /** The highest of which anything has come, also where no snapshot of it has. */
  private knownEpoch = 0;
  private sequence = 0;
  /** Updates since the gap; undefined while there is none. */
  private waiting: MarketUpdate[] | undefined = [];
  private clockAtUpdate: { now: UnixMs; elapsed: DurationMs };
  /** It never runs backwards. */
  private shown = toUnixMs(0);
  /** When its prices stopped to come; undefined while they come. */
  private lostSince: UnixMs | undefined;
  private localSentAt: DurationMs;
  private readonly clockOffset = new ClockOffset();
  private readonly failedSnapshots: FailureLog;
  private syncing = false;
  private stopped = false;
  private cancelCheck = () => {};
  private cancelRetry = () => {};
  private stopReading = () => {};

  protected constructor(description: MarketDescription, options: RemoteMarketOptions) {
    const { clock, log } = options;
    this.feed = description.feed;
    this.instruments = description.instruments;
    this.byId = new Map(this.instruments.map((instrument) => [instrument.id, instrument]));
    this.categories = description.categories;
    this.byMinute = description.byMinute === true;
    this.hasBook = description.hasBook === true;
    this.options = options;
    this.identity = identityOf(description);
    this.listeners = new MarketListeners(log);
    this.failedSnapshots = new FailureLog(clock, (reason) =>
      log.warn(`no snapshot of the market: ${reason}`),
    );
    this.localSentAt = clock.elapsed();
    this.clockAtUpdate = { now: toUnixMs(0), elapsed: this.localSentAt };
  }

  /** Rejects while no feed answers. */
  static async open(options: RemoteMarketOptions): Promise<RemoteMarket> {
    return new RemoteMarket(await askDescription(options.bus), options);
  }

  /** Whether the quotes are those of now. */
  get isLive(): boolean {
    return this.waiting === undefined && this.lostSince === undefined;
  }

  now(): UnixMs {
    const { now, elapsed } = this.clockAtUpdate;
    const passed = toDurationMs(Math.floor(this.options.clock.elapsed() - elapsed));
    this.shown = latest(this.shown, timeAfter(now, passed));
    return this.shown;
  }

  /** How long ago the newest known update was sent. */
  protected get silence(): number {
    return this.options.clock.elapsed() - this.localSentAt;
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const quote = this.states.get(instrumentId)?.quote;
    if (!quote?.marketOpen) return quote;
    if (this.lostSince === undefined) {
      // The feed says nothing when a price becomes too old.
      const { freshUntil } = quote;
      const stale = freshUntil !== undefined && this.now() > freshUntil;
      return stale ? { ...quote, stale } : quote;
    }
    const closedReason = { feed: this.options.name, since: this.lostSince };
    return { ...quote, marketOpen: false, nextOpen: undefined, closedReason };
  }

  currentBar(instrumentId: number): Bar | undefined {
    const bar = this.states.get(instrumentId)?.bar;
    return bar && { ...bar };
  }

  /** Throws DatabaseUnavailable where the feed does not answer: to a client it is the same. */
  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before?: UnixSeconds,
  ): Promise<Bar[]> {
    const question: BarsQuestion = {
      instrumentId,
      period,
      limit,
      ...(before !== undefined && { before }),
    };
    const bars = await this.ask<Bar[]>(SUBJECTS.bars, question);
    learnOfBars(this.byId.get(instrumentId), bars);
    return bars;
  }

  /** Asks the feed; throws DatabaseUnavailable where it does not answer. */
  protected async ask<T>(subject: string, question: object): Promise<T> {
    const { knownEpoch } = this;
    try {
      const asked = { ...question, epoch: knownEpoch } satisfies KnownEpoch;
      return fromJson(await this.options.bus.ask(subject, toJson(asked)));
    } catch (cause) {
      throw new DatabaseUnavailable({ cause });
    }
  }

  listen(listener: MarketListener): () => void {
    return this.listeners.add(listener);
  }

  onFirstSubscriber(): void {
    // Only a replay can be held, and a replay stays in one process.
  }

  /** Resolves once the quotes are those of now. */
  start(): Promise<void> {
    const { bus } = this.options;
    this.stopReading = bus.listen(SUBJECTS.market, (data) => this.receive(data));
    bus.onReconnected(() => this.resync());
    this.check();
    return new Promise((resolve) => {
      this.onLive = resolve;
      void this.sync();
    });
  }

  stop(): void | Promise<void> {
    this.stopped = true;
    this.cancelCheck();
    this.cancelRetry();
    this.stopReading();
  }

  private onLive = () => {};

  private receive(data: Uint8Array): void {
    let update: MarketUpdate;
    try {
      update = decodeMarketUpdate(data);
    } catch (error) {
      this.options.log.error(`an update of the market: ${errorText(error)}`);
      this.resync();
      return;
    }
    // A feed that was paused while another one took over.
    if (update.epoch < this.knownEpoch) return;
    this.knownEpoch = update.epoch;
    this.clockOffset.measure(update.epoch, update.sentAt, this.options.clock.elapsed());
    if (this.waiting) {
      if (this.waiting.push(update) > MOST_WAITING) this.waiting = [];
      return;
    }
    if (update.epoch === this.epoch && update.sequence <= this.sequence) return;
    if (update.epoch === this.epoch && update.sequence === this.sequence + 1) {
      this.accept(update);
      return;
    }
    this.resync(update);
  }

  /** Updates were missed, the last of them before `next`. */
  private resync(next?: MarketUpdate): void {
    if (this.waiting !== undefined) return;
    this.waiting = next ? [next] : [];
    void this.sync();
  }

  private async sync(): Promise<void> {
    if (this.syncing || this.stopped) return;
    this.syncing = true;
    const done = await this.takeSnapshot().catch((error: unknown) => {
      this.failedSnapshots.failed((error as Error).message);
      return false;
    });
    this.syncing = false;
    if (done) this.failedSnapshots.succeeded();
    if (done || this.stopped) return;
    this.cancelRetry = this.options.clock.after(RETRY_MS, () => void this.sync());
  }

  /** Returns whether the quotes are those of now. */
  private async takeSnapshot(): Promise<boolean> {
    const { clock } = this.options;
    const askedAt = clock.elapsed();
    const first = await this.page(0);
    const arrivedAt = clock.elapsed();
    if (first.epoch < this.knownEpoch || arrivedAt - askedAt > LATE_MS) return false;
    this.knownEpoch = first.epoch;
    this.clockOffset.measure(first.epoch, first.sentAt, arrivedAt);
    if (first.market !== this.identity) {
      this.options.onOtherMarket();
      return false;
    }
    const pages = [first];
    for (let count = first.states.length; count < first.total; ) {
      const page = await this.page(count);
      if (page.epoch !== first.epoch || page.states.length === 0) return false;
      pages.push(page);
      count += page.states.length;
    }
    return this.catchUp(first, pages);
  }

  /** A later page includes updates that follow the first one: applied again, they change nothing. */
  private catchUp(
    { epoch, sequence, sentAt, now }: SnapshotPage,
    pages: readonly SnapshotPage[],
  ): boolean {
    const later = (this.waiting ?? []).filter(
      (update) => update.epoch > epoch || (update.epoch === epoch && update.sequence > sequence),
    );
    const isWhole = later.every(
      (update, index) => update.epoch === epoch && update.sequence === sequence + 1 + index,
    );
    if (!isWhole) {
      this.waiting = later;
      return false;
    }
    const isFirst = this.epoch === 0;
    this.epoch = epoch;
    this.sequence = sequence;
    this.waiting = undefined;
    const localSentAt = this.clockOffset.onOwnClock(sentAt, this.options.clock.elapsed());
    this.inTurn(async () => {
      for (const { states } of pages) this.hold(states);
      this.follow(now, localSentAt);
      if (!isFirst) this.options.onGap();
      this.listeners.skipped();
      this.listeners.status(this.instruments.map(({ id }) => id));
    });
    for (const update of later) this.accept(update);
    this.inTurn(async () => this.onLive());
    return true;
  }

  /** It is the next one. Its turn may come later: then its prices are old. */
  private accept(update: MarketUpdate): void {
    this.sequence = update.sequence;
    const localSentAt = this.clockOffset.onOwnClock(update.sentAt, this.options.clock.elapsed());
    this.inTurn(() => this.apply(update, localSentAt));
  }

  /** Without a queue the work is done when this returns: then it never waits. */
  private inTurn(work: () => Promise<void>): void {
    const { queue, log } = this.options;
    const done = queue ? queue.run(work) : work();
    done.catch((error: unknown) => log.error(`an update of the market: ${errorText(error)}`));
  }

  /** Returns whether the market opens again. */
  private follow(now: UnixMs, localSentAt: DurationMs): boolean {
    this.localSentAt = localSentAt;
    this.clockAtUpdate = { now, elapsed: localSentAt };
    this.closeWhereSilent();
    if (this.lostSince === undefined || this.silence > LOST_MS) return false;
    this.lostSince = undefined;
    return true;
  }

  private async page(from: number): Promise<SnapshotPage> {
    return decodePage(
      await this.options.bus.ask(SUBJECTS.snapshot, pageQuestion(from, this.knownEpoch)),
    );
  }

  private async apply({ now, events }: MarketUpdate, localSentAt: DurationMs): Promise<void> {
    if (this.follow(now, localSentAt)) this.listeners.status(this.instruments.map(({ id }) => id));
    for (const event of events) {
      const told = this.tell(event);
      if (this.options.queue) await told;
    }
  }

  private tell(event: MarketUpdateEvent): void | Promise<void> {
    const idsOf = (states: readonly InstrumentState[]) => states.map(({ id }) => id);
    switch (event.kind) {
      case 'ticks':
        this.hold(event.states);
        return this.listeners.ticks(event.ticks);
      case 'status':
        this.hold(event.states);
        this.listeners.status(idsOf(event.states));
        break;
      case 'book':
        this.hold(event.states);
        this.listeners.topOfBook(idsOf(event.states));
        break;
      case 'changed':
        this.hold(event.states);
        break;
      case 'bars':
        for (const { id, bar } of event.bars) this.closeBar(id, bar);
        break;
      case 'skipped':
        this.listeners.skipped();
    }
  }

  private closeBar(id: number, bar: Bar): void {
    learnOfBars(this.byId.get(id), [bar]);
    const state = this.states.get(id);
    if (state?.bar?.time === bar.time) this.states.set(id, { ...state, bar: undefined });
    this.listeners.barClosed(id, bar);
  }

  private hold(states: readonly InstrumentState[]): void {
    for (const state of states) {
      this.states.set(state.id, state);
      const { quote, bar } = state;
      learnDecimals(this.byId.get(state.id), quote?.price, quote?.bid, quote?.ask);
      if (bar) learnOfBars(this.byId.get(state.id), [bar]);
      if (state.quote) this.reached = latest(this.reached, state.quote.time);
    }
  }

  private check(): void {
    this.cancelCheck = this.options.clock.after(CHECK_MS, () => {
      this.closeWhereSilent();
      this.check();
    });
  }

  /** Closes the market where the feed has fallen silent, what it says comes too late, or no snapshot comes. */
  private closeWhereSilent(): void {
    if (this.silence <= LOST_MS || this.lostSince !== undefined || this.epoch === 0) return;
    this.lostSince = this.clockAtUpdate.now;
    this.options.log.warn('The feed is silent: the market is closed until it is heard.');
    this.listeners.status(this.instruments.map(({ id }) => id));
  }
}
