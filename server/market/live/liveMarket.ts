import {
  latest,
  millisecondOf,
  secondOf,
  timeAfter,
  timeBefore,
  toDurationMs,
  toSeconds,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { type Bar, barEnd, barStart, foldBar, foldBars } from '#domain/market/kline';
import { PERIODS, type Period } from '#domain/market/period';
import type { Clock } from '../../core/clock';
import { errorText } from '../../core/errorText';
import { getOrInsert } from '../../core/getOrInsert';
import type { Log } from '../../core/log';
import { RepeatedTask } from '../../core/repeatedTask';
import { SerialQueue } from '../../core/serialQueue';
import type { Db } from '../../db/database';
import type { RecordedCode } from '../../db/schema/market';
import { categoriesOf } from '../catalogue/instrumentTerms';
import { learnDecimals, learnOfBars } from '../learnDecimals';
import type { Market, MarketListener, MarketQuote, PriceRange, Tick } from '../market';
import { MarketListeners } from '../marketListeners';
import { PriceGate } from '../priceGate';
import type { PeriodBar } from '../storedBars';
import type { ListedPair } from './codec';
import { CODECS } from './codecs/codecs';
import { gapText } from './gapText';
import { KnownMinutes } from './knownMinutes';
import { chooseCodes, liveSources, readLists } from './lists';
import { liveInstrument } from './liveInstrument';
import type { LiveOptions } from './liveOptions';
import { LiveSource } from './liveSource';
import { LiveStore } from './liveStore';
import { RecentTicks } from './recentTicks';
import type { Source } from './source';
import type { Track, TrackGates } from './track';

const MINUTE = toSeconds(60);
/** How long a new instrument's minutes reach back at most. */
const HISTORY = toSeconds(2_880 * 60);
/** Minutes of a longer time without prices are not read. */
const LONGEST_GAP = toSeconds(7 * 86_400);
const SAVE_EVERY = toDurationMs(1_000);
/** The top of the book changes several times as often as the price: without a tick it is published at most so often. */
const PUBLISH_TOPS_OF_BOOK_EVERY = toDurationMs(1_000);
/** Charts of these are filled from the exchange, longest first: they say most. */
const HISTORY_PERIODS: readonly Period[] = ['60min', '1day', '30min', '15min', '5min'];

type Output =
  | { kind: 'tick'; tick: Tick }
  | { kind: 'bar'; id: number; bar: Bar }
  | { kind: 'status'; id: number }
  | { kind: 'skipped' };

/** Closed bars of one instrument: the newest of each period, which later minutes still change. */
type Parents = Partial<Record<Period, Bar>>;

/**
 * The market of live exchanges. Only trades make prices and volumes: nobody traded at a quote. Where trades may have been missed, the
 * exchange's klines decide, and the instrument is closed until they have filled the gap. Volumes have eight decimals, because sums of
 * doubles depend on their order.
 */
export class LiveMarket implements Market {
  readonly feed: string;
  readonly instruments: readonly Instrument[];
  readonly categories: Market['categories'];
  readonly byMinute = true;
  /** The position is the clock. */
  readonly savePosition = undefined;
  private readonly byId: ReadonlyMap<number, Instrument>;
  private readonly options: LiveOptions;
  private readonly store: LiveStore;
  private readonly log: Log;
  private readonly listeners: MarketListeners;
  private readonly queue = new SerialQueue();
  private readonly sources: readonly Source[];
  private readonly lists: ReadonlyMap<Source, ReadonlyMap<string, ListedPair>>;
  private readonly liveSource: LiveSource;
  private readonly parents = new Map<number, Parents>();
  private readonly minutes = new Map<number, KnownMinutes>();
  private readonly recent = new Map<number, RecentTicks>();
  /** Prices were told since the time until which they were was kept. */
  private hasTold = false;
  /** Of the ticks that were told. */
  private newestTold = toUnixMs(0);
  /** Instruments whose prices this process or an earlier one has told: others may have missed some. */
  private readonly told: Set<number>;
  private readonly unsaved = new Map<string, PeriodBar>();
  /** Instruments whose minutes are not here yet. */
  private readonly unfilled: Set<number>;
  /** Instruments whose minutes are here, and whose history is not yet being read. */
  private readonly unread: Instrument[] = [];
  private readonly histories = new SerialQueue();
  private readonly saving: RepeatedTask;
  private changes: (() => void)[] = [];
  private outputs: Output[] = [];
  private scheduled = false;
  private stopped = false;
  /** Instruments whose bid and ask changed since they were last told. */
  private readonly changedTopsOfBook = new Set<number>();
  private cancelTopsOfBook: (() => void) | undefined;
  private readonly clock: Clock;

  private constructor(
    options: LiveOptions,
    store: LiveStore,
    newest: readonly PeriodBar[],
    sources: readonly Source[],
    lists: ReadonlyMap<Source, ReadonlyMap<string, ListedPair>>,
    codes: readonly string[],
    clock: Clock,
    log: Log,
  ) {
    this.options = options;
    this.feed = liveSourceName(options);
    this.store = store;
    this.clock = clock;
    this.log = log;
    this.sources = sources;
    this.lists = lists;
    this.listeners = new MarketListeners(log);
    const listed = (code: string) =>
      sources.map((source) => lists.get(source)?.get(code)).find((pair) => pair);
    const ids = new Map(store.codes.map((recorded, index) => [recorded.code, index]));
    this.instruments = codes.flatMap((code) => {
      const index = ids.get(code);
      const recorded = index === undefined ? undefined : store.codes[index];
      if (index === undefined || !recorded) return [];
      return [liveInstrument(index + 1, recorded, listed(code), options.feeType)];
    });
    this.byId = new Map(this.instruments.map((instrument) => [instrument.id, instrument]));
    this.unfilled = new Set(this.byId.keys());
    this.categories = categoriesOf(this.instruments);
    for (const { instrumentId, period, bar } of newest) this.parentsOf(instrumentId)[period] = bar;
    this.told = new Set(this.parents.keys());
    this.liveSource = new LiveSource({
      sources,
      instruments: this.instruments.map(({ id, code }) => ({
        id,
        code,
        filledUntil: this.filledUntil(id),
      })),
      clock,
      log,
      enqueue: (change) => this.enqueue(change),
      reachBack: HISTORY,
      gates: this.gates(),
      sink: {
        tick: (tick) => {
          learnDecimals(this.instrumentOf(tick.instrumentId), tick.price);
          this.outputs.push({ kind: 'tick', tick });
        },
        trade: () => {},
        closed: (id, bar, _whole, counted) => this.closed(id, bar, counted),
        filled: (id, missed, open) => this.filled(id, missed, open),
        status: (id) => this.outputs.push({ kind: 'status', id }),
        topOfBook: (id) => this.noteTopOfBook(id),
        gap: (id, from, until) => this.noteGap(id, from, until),
      },
    });
    for (const { id } of this.instruments) {
      const last = this.parents.get(id)?.['1min'];
      const time = last && timeBefore(toUnixMs(barEnd('1min', last.time) * 1000), toDurationMs(1));
      const track = this.liveSource.tracks.get(id);
      if (last && time) track?.restore(last.close, time);
      const told = this.recordedOf(id)?.told;
      // It may have told prices since it has last kept its position.
      if (told) track?.restoreExchange(told, timeAfter(store.toldUntil, SAVE_EVERY));
    }
    this.saving = new RepeatedTask({
      name: 'The bars of the live feed could not be kept',
      every: SAVE_EVERY,
      clock,
      log,
      run: () => this.save(),
    });
  }

  /** Throws an error for the operator where no exchange can be reached and nothing is known of the feed. */
  static async open(options: LiveOptions, db: Db, clock: Clock, log: Log): Promise<LiveMarket> {
    const sources = liveSources(options, clock, log);
    const lists = await readLists(sources, log);
    const store = await LiveStore.open(db, liveSourceName(options), clock.now());
    const codes = chooseCodes(options, sources, lists, store);
    await store.add(
      codes.flatMap((code) => {
        const pair = sources.map((source) => lists.get(source)?.get(code)).find((each) => each);
        return pair ? [{ code, decimals: pair.precision, price: pair.price }] : [];
      }),
    );
    const newest = await store.newest();
    return new LiveMarket(options, store, newest, sources, lists, codes, clock, log);
  }

  /** The exchange's clock is estimated and late by the latency of its messages; its trades are not. */
  now(): UnixMs {
    return latest(this.newestTold, this.liveSource.now());
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const track = this.liveSource.tracks.get(instrumentId);
    if (!track || track.price === undefined) return undefined;
    const { price, time, bid, ask, topOfBookTime, isOpen, isInDoubt, downSince } = track;
    // One trade from the future makes no other price old.
    const now = this.liveSource.now();
    const fillsAtTopOfBook = this.options.fillsAtQuote && bid !== undefined;
    const newest = fillsAtTopOfBook ? topOfBookTime : Math.max(time, topOfBookTime);
    const freshUntil = timeAfter(toUnixMs(newest), toDurationMs(this.options.quoteAge * 1000));
    const stale = now > freshUntil;
    return {
      price,
      open: this.openOf(track, price),
      time,
      marketOpen: isOpen && !isInDoubt,
      nextOpen: undefined,
      ...(bid !== undefined && ask !== undefined && { bid, ask }),
      freshUntil,
      ...(stale && { stale }),
      ...(isOpen && isInDoubt && { closedReason: 'doubt' as const }),
      ...(!isOpen && { closedReason: { feed: this.nameOf(instrumentId), since: downSince } }),
    };
  }

  currentBar(instrumentId: number): Bar | undefined {
    return this.liveSource.tracks.get(instrumentId)?.current;
  }

  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before?: UnixSeconds,
  ): Promise<Bar[]> {
    const track = this.liveSource.tracks.get(instrumentId);
    // Read what changes before what is stored: a bar that is saved meanwhile is in both.
    const present = track ? this.present(track, period) : [];
    const unsaved = [...this.unsaved.values()]
      .filter((entry) => entry.instrumentId === instrumentId && entry.period === period)
      .map(({ bar }) => ({ ...bar }));
    const merged = new Map<UnixSeconds, Bar>();
    for (const bar of await this.store.bars(instrumentId, period, limit, before)) {
      merged.set(bar.time, bar);
    }
    for (const bar of [...unsaved, ...present]) {
      if (before === undefined || bar.time < before) merged.set(bar.time, bar);
    }
    const bars = [...merged.values()].sort((a, b) => a.time - b.time).slice(-limit);
    learnOfBars(this.instrumentOf(instrumentId), bars);
    return bars;
  }

  /** By the minute: the exchange tells no more of what was missed (D126). What was told of late is known exactly. */
  priceRange(instrumentId: number, since: UnixMs, until?: UnixMs): PriceRange | undefined {
    const before = until ?? timeAfter(this.now(), toDurationMs(1));
    const minutes = this.minutes.get(instrumentId)?.range(since, before);
    const ticks = this.recent.get(instrumentId)?.range(since, before);
    if (!minutes || !ticks) return minutes ?? ticks;
    return { low: Math.min(minutes.low, ticks.low), high: Math.max(minutes.high, ticks.high) };
  }

  listen(listener: MarketListener): () => void {
    return this.listeners.add(listener);
  }

  onFirstSubscriber(): void {
    // Only a replay can be held.
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  async start(): Promise<void> {
    for (const { codec } of this.sources) {
      this.log.info(
        `Prices are ${codec.name}'s, for the users of this server alone. Its terms: ${codec.terms}`,
      );
    }
    this.saving.start();
    this.liveSource.start(this.lists);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.liveSource.stop();
    this.cancelTopsOfBook?.();
    await this.saving.stop();
    await this.queue.run(() => {});
    await this.save();
  }

  /** Changes of the feed wait for orders that are being placed, and for listeners. */
  private enqueue(change: () => void): void {
    if (this.stopped) return;
    this.changes.push(change);
    if (this.scheduled) return;
    this.scheduled = true;
    void this.queue.run(() => this.flush());
  }

  private async flush(): Promise<void> {
    this.scheduled = false;
    const { changes } = this;
    this.changes = [];
    for (const change of changes) {
      try {
        change();
      } catch (error) {
        this.log.error(`The live feed failed: ${errorText(error)}`);
      }
    }
    const { outputs } = this;
    this.outputs = [];
    await this.deliver(outputs);
  }

  private async deliver(outputs: readonly Output[]): Promise<void> {
    let batch: Tick[] = [];
    const minuteOf = ({ time }: Tick) => Math.floor(time / 60_000);
    const flushBatch = async () => {
      if (batch.length > 0) await this.tell(batch);
      batch = [];
    };
    for (const output of outputs) {
      if (output.kind === 'tick') {
        const [first] = batch;
        if (first && minuteOf(first) !== minuteOf(output.tick)) await flushBatch();
        batch.push(output.tick);
        this.changedTopsOfBook.delete(output.tick.instrumentId);
      } else {
        await flushBatch();
        if (output.kind === 'bar') this.listeners.barClosed(output.id, output.bar);
        else if (output.kind === 'status') this.listeners.status([output.id]);
        else this.listeners.skipped();
      }
    }
    await flushBatch();
  }

  private async tell(ticks: readonly Tick[]): Promise<void> {
    // Not before: a listener that loads now must not know of ticks that it is told after these.
    for (const tick of ticks) {
      getOrInsert(this.recent, tick.instrumentId, () => new RecentTicks()).add(tick);
    }
    this.hasTold = true;
    for (const { time } of ticks) this.newestTold = latest(this.newestTold, time);
    await this.listeners.ticks(ticks);
  }

  /** The next tick of the instrument has its top of the book, or else a row of its own within a second. */
  private noteTopOfBook(id: number): void {
    const track = this.liveSource.tracks.get(id);
    learnDecimals(this.instrumentOf(id), track?.bid, track?.ask);
    this.changedTopsOfBook.add(id);
    this.cancelTopsOfBook ??= this.clock.after(PUBLISH_TOPS_OF_BOOK_EVERY, () => {
      this.cancelTopsOfBook = undefined;
      void this.queue.run(() => {
        const ids = [...this.changedTopsOfBook];
        this.changedTopsOfBook.clear();
        if (ids.length > 0) this.listeners.topOfBook(ids);
      });
    });
  }

  /**
   * Minutes are missing. Longer bars that begin before the gap's end would lack them: they are the exchange's own, as
   * are the minutes where it tells older ones.
   */
  private noteGap(id: number, from: UnixSeconds, until: UnixSeconds): void {
    const instrument = this.instrumentOf(id);
    const source = this.liveSource.tracks.get(id)?.active;
    // Nothing was known before: history does not begin with a gap.
    if (!instrument || !source || !this.parents.get(id)?.['1min']) return;
    this.log.warn(gapText(instrument.code, from, until));
    const oldest = toUnixSeconds(Math.max(from, timeBefore(until, LONGEST_GAP)));
    const pages = source.codec.limits.latestKlinesOnly
      ? Promise.resolve()
      : this.readMinutes(id, instrument.code, source, oldest, until);
    void pages.then(() => this.readHistory([instrument]));
  }

  private async readMinutes(
    id: number,
    code: string,
    source: Source,
    from: UnixSeconds,
    until: UnixSeconds,
  ): Promise<void> {
    const page = toSeconds(source.codec.limits.klinesPerCall * MINUTE);
    try {
      for (let start = from; start < until && !this.stopped; start = timeAfter(start, page)) {
        const bars = await source.klines(code, '1min', millisecondOf(start));
        const missing = bars.filter(({ time }) => time >= start && time < until);
        await this.queue.run(() => {
          for (const bar of missing) this.queueBar({ instrumentId: id, period: '1min', bar });
        });
      }
    } catch (error) {
      this.log.warn(`The missing minutes of ${code} could not be read: ${errorText(error)}`);
    }
  }

  /** Prices were missed that `priceRange` knows now. */
  private filled(id: number, missed: boolean, open: Bar | undefined): void {
    if (open) {
      learnOfBars(this.instrumentOf(id), [open]);
      this.know(id, open);
    }
    const some = missed || open !== undefined;
    if (some && this.told.has(id) && this.outputs.every(({ kind }) => kind !== 'skipped')) {
      this.outputs.push({ kind: 'skipped' });
    }
    this.told.add(id);
    const track = this.liveSource.tracks.get(id);
    if (this.unfilled.delete(id)) this.readFirstHistory(id);
    const recorded = this.recordedOf(id);
    if (!recorded || !track?.active) return;
    this.store.setTold(recorded, {
      exchange: track.active.codec.key,
      shared: track.sharedMinute,
    });
  }

  /** Not before the minutes are folded: these would count twice in the day that the exchange's hours make. */
  private readFirstHistory(id: number): void {
    const instrument = this.instrumentOf(id);
    if (instrument) this.unread.push(instrument);
    void this.histories.run(() => this.readHistory(this.unread.splice(0)));
  }

  private gates(): TrackGates | undefined {
    const { limits } = this.options;
    if (!limits) return undefined;
    const codeOf = (id: number) => this.instrumentOf(id)?.code ?? '';
    const options = { limits, log: this.log, codeOf };
    return { limits, trades: new PriceGate(options), topsOfBook: new PriceGate(options) };
  }

  private instrumentOf(id: number): Instrument | undefined {
    return this.byId.get(id);
  }

  private recordedOf(id: number): RecordedCode | undefined {
    return this.store.codes[id - 1];
  }

  /** A minute that `priceRange` tells from now on. */
  private know(id: number, bar: Bar): void {
    if (this.liveSource.tracks.get(id)?.isShared(bar)) return;
    getOrInsert(this.minutes, id, () => new KnownMinutes()).add({ ...bar });
  }

  private closed(id: number, bar: Bar, counted: Bar): void {
    learnOfBars(this.instrumentOf(id), [bar]);
    this.outputs.push({ kind: 'bar', id, bar });
    this.know(id, counted);
    const parents = this.parentsOf(id);
    const track = this.liveSource.tracks.get(id);
    for (const period of PERIODS) {
      const time = barStart(period, bar.time);
      const known = parents[period];
      if (known && known.time > time) continue;
      if (known?.time === time && period !== '1min') foldBar(known, bar);
      else parents[period] = { ...bar, time };
      // The first minutes of a new instrument begin within it: the exchange's bar is whole.
      if (track?.isNew && time < track.filledUntil) continue;
      this.queueBar({ instrumentId: id, period, bar: parents[period] as Bar });
    }
  }

  private queueBar(entry: PeriodBar): void {
    this.unsaved.set(`${entry.instrumentId} ${entry.period} ${entry.bar.time}`, entry);
  }

  /** Open bars of a period: closed minutes and those that are still open. */
  private present(track: Track, period: Period): Bar[] {
    const { open } = track;
    if (period === '1min') return open;
    const known = this.parents.get(track.id)?.[period];
    const [first] = open;
    if (!first) return [];
    const children =
      known && known.time >= barStart(period, first.time) ? [{ ...known }, ...open] : open;
    return foldBars(children, period);
  }

  private openOf(track: Track, price: number): number {
    const day = barStart('1day', secondOf(track.time));
    const known = this.parents.get(track.id)?.['1day'];
    if (known?.time === day) return known.open;
    return track.open.find(({ time }) => time >= day)?.open ?? price;
  }

  private parentsOf(id: number): Parents {
    let parents = this.parents.get(id);
    if (!parents) {
      parents = {};
      this.parents.set(id, parents);
    }
    return parents;
  }

  /** Where an instrument's minutes go on after those of an earlier run. */
  private filledUntil(id: number): UnixSeconds | undefined {
    const last = this.parents.get(id)?.['1min'];
    return last && timeAfter(last.time, MINUTE);
  }

  /** Of the exchange whose prices stopped, or whose are waited for. */
  private nameOf(instrumentId: number): string {
    const track = this.liveSource.tracks.get(instrumentId);
    const out = Object.values(CODECS).find(({ key }) => key === track?.out);
    if (out) return out.name;
    const code = track?.code ?? '';
    const source = this.sources.find((each) => this.lists.get(each)?.has(code));
    return (source ?? this.sources[0])?.codec.name ?? '';
  }

  private async save(): Promise<void> {
    const entries = [...this.unsaved.entries()];
    if (entries.length > 0 || this.listeners.haveMoved) await this.saveFollowed();
    if (this.hasTold) {
      this.hasTold = false;
      await this.store.savePosition(this.now());
    }
    if (entries.length === 0) return;
    // Bars are changed in place: what is written is what was there.
    await this.store.save(entries.map(([, entry]) => ({ ...entry, bar: { ...entry.bar } })));
    await this.queue.run(() => {
      for (const [key, entry] of entries) {
        if (this.unsaved.get(key) === entry) this.unsaved.delete(key);
      }
    });
  }

  /**
   * What followed the prices so far, before the bars of these: a process that is killed in between reads again, at its next
   * start, the minutes after those that were kept (D126). Bars alone would not do: they don't tell what a stop has followed in
   * the minute in which it began.
   */
  private async saveFollowed(): Promise<void> {
    await this.queue.run(async () => {
      await this.store.transaction((tx) => this.listeners.savePosition(tx));
      this.listeners.positionSaved();
    });
  }

  /** Reads the exchange's bars of the longer periods, instrument by instrument, while prices come. */
  private async readHistory(
    instruments: readonly Pick<Instrument, 'id' | 'code'>[],
  ): Promise<void> {
    for (const period of HISTORY_PERIODS) {
      for (const { id, code } of instruments) {
        const source = this.sources.find((each) => this.lists.get(each)?.has(code));
        if (!source) continue;
        if (this.stopped) return;
        try {
          await this.readPeriod(id, code, period, source);
        } catch (error) {
          const reason = error instanceof Error ? error.message : error;
          this.log.warn(`The history of ${code} (${period}) could not be read: ${reason}`);
        }
      }
    }
  }

  private async readPeriod(
    id: number,
    code: string,
    period: Period,
    source: Source,
  ): Promise<void> {
    const now = source.time.now();
    const length = barEnd(period, toUnixSeconds(0)) * 1000;
    const oldest = now - (source.codec.limits.klinesPerCall - 1) * length;
    const bars = await source.klines(code, period, toUnixMs(Math.ceil(oldest / length) * length));
    await this.queue.run(() => {
      if (this.stopped) return;
      const over = bars.filter(({ time }) => barEnd(period, time) <= secondOf(now));
      // What was folded of minutes may lack some; the newest is still being folded.
      const newest = this.parents.get(id)?.[period]?.time ?? 0;
      for (const bar of over) {
        if (bar.time !== newest) this.queueBar({ instrumentId: id, period, bar });
      }
      if (period === '60min') this.completeDay(id, over, now);
    });
  }

  /** The day's bar: hours that are over, and the minutes of this one. */
  private completeDay(id: number, hours: readonly Bar[], now: UnixMs): void {
    const parents = this.parentsOf(id);
    const day = barStart('1day', secondOf(now));
    const hour = parents['60min'];
    const before = hours.filter(({ time }) => time >= day && (!hour || time < hour.time));
    const parts = hour && hour.time >= day ? [...before, hour] : before;
    const [bar] = foldBars(parts, '1day');
    if (!bar || (parents['1day']?.time ?? 0) > day) return;
    parents['1day'] = bar;
    this.queueBar({ instrumentId: id, period: '1day', bar });
  }
}

/** Names the feed (`Market.feed`): the preferred exchange, whoever helps out. */
function liveSourceName({ exchanges }: Pick<LiveOptions, 'exchanges'>): string {
  return `live:${exchanges[0]}`;
}
