import {
  earliest,
  latest,
  millisecondOf,
  startOfStep,
  timeAfter,
  toDurationMs,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { PlausibilityLimits, PricePoint } from '#domain/market/plausibility';
import type { FeeType } from '#domain/trading/margin';
import type { Clock } from '../../core/clock';
import type { Log } from '../../core/log';
import { SerialQueue } from '../../core/serialQueue';
import type { Db, Tx } from '../../db/database';
import { categoriesOf } from '../catalogue/instrumentTerms';
import type { Market, MarketListener, MarketQuote, PriceRange, Tick } from '../market';
import { MarketListeners } from '../marketListeners';
import { PriceGate } from '../priceGate';
import { BarBuffer } from './barBuffer';
import { type Row, readRows } from './csvRows';
import { readText } from './file';
import { recordedInstrument } from './recordedInstrument';
import { ReplayClock, type Speed } from './replayClock';
import { type Position, ReplayStore } from './replayStore';

export interface ReplayOptions {
  feeType: FeeType;
  file: string;
  speed: Speed;
  /** Quotes have the bid and the ask of the file. */
  hasBook?: boolean;
  /** Replay nothing before `onFirstSubscriber`. */
  wait: boolean;
  /** Deliver this first part of the file without delay, as history, ms. */
  historyMs?: number;
  /**
   * Replay the file repeatedly, each time this many ms later; at least the length of the file.
   * Ignored at speed `max`, which would never end.
   */
  repeatEveryMs?: number;
  /** Undefined: every price counts at once. */
  limits?: PlausibilityLimits | undefined;
}

/** A price of the file, and what it says of its minute or moment. */
interface RecordedPoint extends PricePoint {
  tick: Tick;
  minute: Bar | undefined;
}

const MINUTE_MS = toDurationMs(60_000);
const MAX_BATCH = 1000;
/** Save after this many ticks or milliseconds. */
const COMMIT = { ticks: 5000, ms: toDurationMs(1000) };
const MAX_SLEEP_MS = toDurationMs(3_600_000);

/** Replays a recorded market. It continues where the stored position is. */
export class ReplayMarket implements Market {
  readonly feed: string;
  readonly hasBook: boolean;
  readonly instruments: readonly Instrument[];
  readonly categories: Market['categories'];
  private readonly options: ReplayOptions;
  private readonly repeatEveryMs: number | undefined;
  private readonly store: ReplayStore;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly replayClock: ReplayClock;
  private readonly listeners: MarketListeners;
  private readonly queue = new SerialQueue();
  private readonly barBuffer = new BarBuffer();
  private readonly ids: ReadonlyMap<string, number>;
  private position: Position;
  /** Time of the data's clock when the replay starts. */
  private resumeAt = toUnixMs(0);
  /** Time of the next tick, once it was read. */
  private next: UnixMs | undefined;
  private uncommitted = 0;
  private committed: UnixMs;
  private ended: boolean;
  /** The asks of the last lines; after a restart none is known before the next one. */
  private readonly asks = new Map<number, number>();
  /** Instruments whose last line has a price of 0 or less: closed until their next price above 0 (domain.md#quotes). */
  private readonly withoutPrice: Set<number>;
  private readonly gate: PriceGate<RecordedPoint> | undefined;
  private stopping = false;
  private resolveStopped = () => {};
  private readonly stopped: Promise<void>;
  private release = () => {};
  private readonly released: Promise<void>;
  private playing: Promise<void> = Promise.resolve();

  private constructor(options: ReplayOptions, store: ReplayStore, clock: Clock, log: Log) {
    this.options = options;
    this.store = store;
    this.clock = clock;
    this.log = log;
    this.replayClock = new ReplayClock(clock, options.speed);
    this.listeners = new MarketListeners(log);
    this.feed = `file:${store.hash}`;
    this.hasBook = options.hasBook === true;
    this.instruments = store.codes
      .map((code, index) => recordedInstrument(index + 1, code, options.feeType))
      .sort((a, b) => a.categoryId - b.categoryId || a.id - b.id);
    this.categories = categoriesOf(this.instruments);
    this.ids = new Map(this.instruments.map(({ id, code }) => [code, id]));
    this.withoutPrice = new Set(
      store.codes.flatMap((each, index) => (each.withoutPrice ? [index + 1] : [])),
    );
    const { limits } = options;
    const codeOf = (id: number) => store.codes[id - 1]?.code ?? '';
    this.gate = limits && new PriceGate({ limits, log, codeOf });
    this.position = store.position;
    this.repeatEveryMs = options.speed === 'max' ? undefined : options.repeatEveryMs;
    this.ended = store.position.ended && this.repeatEveryMs === undefined;
    this.committed = clock.now();
    this.stopped = new Promise((resolve) => {
      this.resolveStopped = resolve;
    });
    this.released = new Promise((resolve) => {
      this.release = resolve;
    });
    if (!options.wait) this.release();
  }

  /** Throws an error for the operator where the file can't be used. */
  static async open(options: ReplayOptions, db: Db, clock: Clock, log: Log): Promise<ReplayMarket> {
    const store = await ReplayStore.open(db, options.file, log);
    const market = new ReplayMarket(options, store, clock, log);
    market.barBuffer.restore(await store.openBars());
    for (const { id } of market.instruments) {
      const day = market.barBuffer.last(id, '1day');
      if (day) market.gate?.restore(id, day.bar.close, day.ticked);
    }
    return market;
  }

  now(): UnixMs {
    const { clock } = this.position;
    // Never beyond the time of the next tick.
    if (this.next === undefined || this.options.speed === 'max') return clock;
    return latest(clock, earliest(toUnixMs(Math.floor(this.replayClock.now)), this.next));
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const day = this.barBuffer.last(instrumentId, '1day');
    if (!day) return undefined;
    const withoutPrice = this.withoutPrice.has(instrumentId);
    const inDoubt = !this.ended && this.gate?.isHalted(instrumentId) === true;
    const reason = withoutPrice ? 'price' : inDoubt ? 'doubt' : undefined;
    const ask = this.asks.get(instrumentId);
    const freshUntil = this.gate?.freshUntil(instrumentId);
    const stale = freshUntil !== undefined && this.now() > freshUntil;
    return {
      price: day.bar.close,
      ...(ask !== undefined && { bid: day.bar.close, ask }),
      open: day.bar.open,
      time: day.ticked,
      marketOpen: !this.ended && !withoutPrice && !inDoubt,
      nextOpen: undefined,
      ...(freshUntil !== undefined && { freshUntil }),
      ...(stale && { stale }),
      ...(reason && { closedReason: reason }),
    };
  }

  currentBar(instrumentId: number): Bar | undefined {
    const bar = this.barBuffer.last(instrumentId, '1min')?.bar;
    return bar && bar.time * 1000 + MINUTE_MS > this.position.clock ? { ...bar } : undefined;
  }

  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before?: UnixSeconds,
  ): Promise<Bar[]> {
    // Read the unsaved bars first: a bar that is saved meanwhile is in both lists, and the one with
    // more volume counts.
    const unsaved = this.barBuffer
      .unsavedOf(instrumentId, period)
      .filter(({ bar }) => before === undefined || bar.time < before)
      .map(({ bar }) => ({ ...bar }));
    const merged = new Map(unsaved.map((bar) => [bar.time, bar]));
    for (const bar of await this.store.bars(instrumentId, period, limit, before)) {
      if (bar.volume > (merged.get(bar.time)?.volume ?? 0)) merged.set(bar.time, bar);
    }
    return [...merged.values()].sort((a, b) => a.time - b.time).slice(-limit);
  }

  /** After a restart all later ticks are delivered again. */
  priceRange(): PriceRange | undefined {
    return undefined;
  }

  listen(listener: MarketListener): () => void {
    return this.listeners.add(listener);
  }

  onFirstSubscriber(): void {
    this.release();
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  async savePosition(tx: Tx): Promise<void> {
    await this.listeners.savePosition(tx);
    await this.store.commit(this.barBuffer.unsaved(), this.position, this.withoutPrice, tx);
  }

  async start(): Promise<void> {
    if (this.ended) return;
    this.playing = this.play().catch((error: unknown) => {
      this.log.error(`The replay of ${this.options.file} broke off: ${error}`);
      this.close();
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.resolveStopped();
    this.replayClock.halt();
    await this.playing;
    await this.queue.run(() => this.commit());
  }

  private async play(): Promise<void> {
    await Promise.race([this.released, this.stopped]);
    const { historyMs = 0 } = this.options;
    const every = this.repeatEveryMs;
    const begins = every || historyMs ? await this.firstTime() : toUnixMs(0);
    // Continue at the stored position; start a new feed at its first tick.
    this.resumeAt = latest(this.position.clock, timeAfter(begins, toDurationMs(historyMs)));
    let shift = every ? Math.floor((this.position.clock - begins) / every) * every : 0;
    await this.playFile(shift);
    while (every && !this.stopping) {
      this.log.info(`The replay of ${this.options.file} begins again.`);
      shift += every;
      this.position = { ...this.position, line: 0, byte: 0 };
      await this.playFile(shift);
    }
    if (!this.stopping) await this.queue.run(() => this.end());
  }

  /** Replays the file from the position on, with its times moved by `shift` ms. */
  private async playFile(shift: number): Promise<void> {
    const report = (line: number, reason: string) => this.report(line, reason);
    const text = readText(this.options.file, this.position.byte);
    for await (const recorded of readRows(text, this.position, report)) {
      const rows = recorded.map((row) => ({
        ...row,
        time: timeAfter(row.time, toDurationMs(shift)),
      }));
      for (let i = 0; i < rows.length; ) {
        await this.untilDue(rows[i] as Row);
        if (this.stopping) return;
        i = await this.queue.run(() => this.deliver(rows, i));
      }
    }
  }

  private async firstTime(): Promise<UnixMs> {
    const text = readText(this.options.file);
    for await (const [row] of readRows(text, { line: 0, byte: 0 }, () => {})) {
      if (row) return row.time;
    }
    return this.position.clock;
  }

  private async untilDue({ time }: Row): Promise<void> {
    this.replayClock.begin(this.resumeAt);
    this.next = time;
    for (
      let wait = this.replayClock.until(time);
      wait > 0 && !this.stopping;
      wait = this.replayClock.until(time)
    ) {
      const commitIn = this.uncommitted > 0 ? this.committed + COMMIT.ms - this.clock.now() : wait;
      if (commitIn <= 0) await this.queue.run(() => this.commit());
      else
        await this.replayClock.sleep(
          toDurationMs(Math.ceil(Math.min(wait, commitIn, MAX_SLEEP_MS))),
        );
    }
  }

  /**
   * Delivers what is due from row `from` on, at most to the end of its minute. Returns the index of
   * the next row.
   */
  private async deliver(rows: readonly Row[], from: number): Promise<number> {
    const minute = Math.floor((rows[from] as Row).time / MINUTE_MS);
    if (minute > Math.floor(this.position.clock / MINUTE_MS)) this.closeMinute();
    const now = this.replayClock.now;
    const batch: Tick[] = [];
    let i = from;
    for (; i < rows.length && batch.length < MAX_BATCH; i++) {
      const row = rows[i] as Row;
      if (i > from && (row.time > now || Math.floor(row.time / MINUTE_MS) > minute)) break;
      const tick = this.toTick(row);
      if (tick && tick.price <= 0 !== this.withoutPrice.has(tick.instrumentId)) {
        // What was told before belongs to the market as it was then.
        if (batch.length > 0) break;
        this.turn(tick, row);
      }
      if (tick && tick.price > 0) {
        const point = pointOf(tick, row.bar);
        const turns = this.gate?.turns(tick.instrumentId, point) === true;
        if (turns && batch.length > 0) break;
        const accepted = this.gate ? this.gate.judge(tick.instrumentId, point) : [point];
        if (turns) this.listeners.status([tick.instrumentId]);
        for (const each of accepted) this.apply(each, tick.time, batch);
      }
      this.position = {
        line: row.line,
        byte: row.byte,
        clock: latest(this.position.clock, tick?.time ?? toUnixMs(0)),
        ended: false,
      };
    }
    this.next = undefined;
    this.uncommitted += i - from;
    if (batch.length > 0) {
      await this.listeners.ticks(batch, this.options.speed === 'max' ? this.stopped : undefined);
    }
    const due = this.clock.now() - this.committed >= COMMIT.ms;
    if (due || this.uncommitted >= COMMIT.ticks) await this.commit();
    return i;
  }

  /**
   * Brings quote and bars to a price that counts from `now` on: ticks that were held until they were confirmed are of now, because
   * their own minute may be over. A minute that is over then is left out.
   */
  private apply({ tick, minute }: RecordedPoint, now: UnixMs, batch: Tick[]): void {
    if (minute) {
      if (millisecondOf(minute.time) < startOfStep(now, MINUTE_MS)) return;
      this.barBuffer.replaceMinute(tick.instrumentId, minute, tick.time);
      return;
    }
    const told = tick.time === now ? tick : { ...tick, time: now };
    this.barBuffer.fold(told);
    if (told.ask !== undefined) this.asks.set(told.instrumentId, told.ask);
    batch.push(told);
  }

  /** Returns nothing for a row that would change the past. */
  private toTick({ line, time, code, price, ask, volume }: Row): Tick | undefined {
    const instrumentId = this.ids.get(code);
    if (instrumentId === undefined) {
      this.report(line, `code "${code}" was not in the file when it was read first`);
      return undefined;
    }
    const newest = this.barBuffer.last(instrumentId, '1day')?.ticked ?? 0;
    const minute = Math.floor(this.position.clock / MINUTE_MS) * MINUTE_MS;
    if (time < newest || time < minute) {
      this.report(line, `time ${time} is before that of an earlier line`);
      return undefined;
    }
    const hasBook = this.hasBook && ask !== undefined;
    return { instrumentId, price, volume, time, ...(hasBook && { bid: price, ask }) };
  }

  /** Closes an instrument whose price is 0 or less, or opens it with the first one above. */
  private turn({ instrumentId, price }: Tick, { line, code }: Row): void {
    if (price > 0) this.withoutPrice.delete(instrumentId);
    else {
      this.withoutPrice.add(instrumentId);
      this.log.warn(
        `${this.options.file}, line ${line}: ${code} costs ${price}, and is closed until its next price above 0`,
      );
    }
    this.listeners.status([instrumentId]);
  }

  private closeMinute(): void {
    for (const { id } of this.instruments) {
      const bar = this.currentBar(id);
      if (bar) this.listeners.barClosed(id, bar);
    }
  }

  private async end(): Promise<void> {
    this.closeMinute();
    this.next = undefined;
    this.position = { ...this.position, ended: true };
    this.uncommitted += 1;
    await this.commit();
    this.close();
    this.log.info(`The replay of ${this.options.file} is over.`);
  }

  private close(): void {
    this.ended = true;
    this.listeners.status(this.instruments.map(({ id }) => id));
  }

  /** Saves bars and position. The feed waits and tries again until it succeeds. */
  private async commit(): Promise<void> {
    while (this.uncommitted > 0) {
      try {
        await this.store.transaction((tx) => this.savePosition(tx));
        this.barBuffer.saved();
        this.listeners.positionSaved();
        this.uncommitted = 0;
      } catch (error) {
        this.log.error(`The bars of the replay could not be kept: ${error}`);
        if (this.stopping) return;
        await this.replayClock.sleep(COMMIT.ms);
      }
    }
    this.committed = this.clock.now();
  }

  private report(line: number, reason: string): void {
    this.log.warn(`${this.options.file}, line ${line}: skipped, ${reason}`);
  }
}

function pointOf(tick: Tick, minute: Bar | undefined): RecordedPoint {
  const { price, time, bid, ask } = tick;
  return { price, time, bid, ask, low: minute?.low, high: minute?.high, tick, minute };
}
