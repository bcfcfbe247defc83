import { toDurationMs } from '#domain/core/time';
import { INDICATORS, indicatorKey } from '#domain/indicators/catalogue';
import { type ColumnValueSpec, columnValue, columnValueName } from '#domain/indicators/columns';
import { BAR_STRIDE, type Candles, type CandlesKey, candlesName } from '#domain/market/candles';
import { isOfDays } from '#domain/market/kline';
import type { GridWorkerApi } from '#domain/worker/grid';
import type { Clock } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Klines } from './klines';

/** As many requests may go out at once: a chart that opens at the same time waits behind them. */
const BURST = 40;
/** And as many a second after that: half of what a network may make (protocol.md#rate-limits). */
const REQUESTS_PER_SECOND = 25;
/** Pages of minutes that the open bar of a day is folded from (protocol.md#klines). */
const MINUTES_OF_DAY = 3;

const [HIGH, LOW, CLOSE, VOLUME] = [2, 3, 4, 5] as const;

/** What a column value is at the last bar: low, high and volume, or the value of an indicator; NaN: not known. */
export type BarValues = readonly [number, number, number];
const NONE: BarValues = [Number.NaN, Number.NaN, Number.NaN];

interface ColumnValue {
  spec: ColumnValueSpec;
  values: BarValues;
  /** The page's numbers for it. */
  watchers: Set<number>;
  /** The grids that are sorted by it. */
  grids: Set<string>;
}

/** The bars of one period of an instrument, and what is computed of them. */
interface Source {
  key: CandlesKey;
  entries: Map<string, ColumnValue>;
  /** A column value has come whose indicator is not named yet. */
  isUnnamed: boolean;
  bar: BarValues;
  /** `new`: not requested yet. `missed`: live, but not subscribed all the time since it was loaded. */
  state: 'new' | 'live' | 'missed';
}

interface Held {
  source: Source;
  entry: ColumnValue;
}

export interface ColumnValuesOptions {
  clock: Clock;
  frames: Pick<Frames, 'field'>;
  klines: Pick<Klines, 'watch' | 'follow' | 'collect' | 'reload'>;
}

/** Values of bars in columns: those that the page watches, and those that grids are sorted by (architecture.md#the-grid). */
export interface ColumnValues {
  watch: GridWorkerApi['watchColumnValues'];
  /** Keeps a column value of these instruments for the order of a grid, instead of those that it had before. */
  hold(grid: string, instrumentIds: readonly number[], spec: ColumnValueSpec | undefined): void;
  /** What is known of a column value. */
  values(instrumentId: number, spec: ColumnValueSpec): BarValues;
  /** Fetches again what bars may have been missed of. */
  barsMissed(): void;
}

export function createColumnValues({ clock, frames, klines }: ColumnValuesOptions): ColumnValues {
  const sources = new Map<string, Source>();
  /** By the page's number. */
  const watched = new Map<number, Held>();
  const held = new Map<string, Held[]>();
  /** The page's numbers of what has changed since the last frame. */
  const changed = new Set<number>();
  let allowed = BURST;
  let allowedAt = clock.now();
  let isWaiting = false;

  const field = frames.field('columnValues', () => {
    update();
    const rows = [...changed].flatMap((id) => {
      const { values } = watched.get(id)?.entry ?? {};
      return values ? [id, ...values] : [];
    });
    changed.clear();
    return rows.length > 0 ? Float64Array.from(rows) : undefined;
  });
  klines.follow(field.touch);

  /** Takes over what has come of bars and indicators. */
  function update(): void {
    for (const candles of klines.collect()) {
      const source = sources.get(candlesName(candles));
      if (!source || candles.failure || candles.change === 'prepend') continue;
      source.bar = lastBar(candles);
      for (const entry of source.entries.values()) {
        const values = entry.spec.indicator ? lastOf(entry.spec.indicator, candles) : source.bar;
        if (!values || values.every((value, at) => Object.is(value, entry.values[at]))) continue;
        entry.values = values;
        for (const id of entry.watchers) changed.add(id);
      }
    }
  }

  function provide(instrumentId: number, spec: ColumnValueSpec): Held {
    const key: CandlesKey = { instrumentId, period: spec.period };
    const name = candlesName(key);
    const source: Source = sources.get(name) ?? {
      key,
      entries: new Map(),
      isUnnamed: true,
      bar: NONE,
      state: 'new',
    };
    sources.set(name, source);
    const known = source.entries.get(columnValueName(spec));
    if (known) return { source, entry: known };
    const values = spec.indicator ? NONE : source.bar;
    const entry: ColumnValue = { spec, values, watchers: new Set(), grids: new Set() };
    source.entries.set(columnValueName(spec), entry);
    source.isUnnamed ||= spec.indicator !== undefined;
    return { source, entry };
  }

  /** Some column values of these have come or gone. */
  function settle(touched: ReadonlySet<Source>): void {
    for (const source of touched) {
      const { key, entries, state } = source;
      for (const [name, { watchers, grids }] of entries) {
        if (watchers.size + grids.size === 0) entries.delete(name);
      }
      if (entries.size === 0) sources.delete(candlesName(key));
      if (state === 'new') continue;
      if (entries.size === 0) klines.watch({ candles: { add: [], remove: [key] } }, 'grid');
      // Where some have only gone, what is left is computed already.
      if (entries.size === 0 || source.isUnnamed) nameIndicators(source);
    }
    request();
  }

  function nameIndicators(source: Source): void {
    const { key, entries } = source;
    source.isUnnamed = false;
    const specs = [...entries.values()].flatMap(({ spec }) => spec.indicator ?? []);
    klines.watch({ indicators: { key, specs } }, 'grid');
  }

  /** The instrument whose turn it is: rows in sight come first. */
  function next(): number | undefined {
    let first: number | undefined;
    for (const { key, state, entries } of sources.values()) {
      if (state === 'live') continue;
      for (const { watchers } of entries.values()) if (watchers.size > 0) return key.instrumentId;
      first ??= key.instrumentId;
    }
    return first;
  }

  /** Requests bars as far as it may by now, and the rest as soon as it may. */
  function request(): void {
    if (isWaiting) return;
    const now = clock.now();
    allowed = Math.min(BURST, allowed + ((now - allowedAt) / 1000) * REQUESTS_PER_SECOND);
    allowedAt = now;
    for (let id = next(); id !== undefined; id = next()) {
      const due = [...sources.values()].filter(
        ({ key, state }) => key.instrumentId === id && state !== 'live',
      );
      const cost = costOf(due);
      if (cost > allowed) {
        isWaiting = true;
        clock.after(toDurationMs(((cost - allowed) / REQUESTS_PER_SECOND) * 1000), () => {
          isWaiting = false;
          request();
        });
        return;
      }
      allowed -= cost;
      load(due);
    }
  }

  function load(due: readonly Source[]): void {
    const add = due.filter(({ state }) => state === 'new').map(({ key }) => key);
    const [missed] = due.filter(({ state }) => state === 'missed');
    for (const source of due) source.state = 'live';
    if (add.length > 0) klines.watch({ candles: { add, remove: [] } }, 'grid');
    for (const source of due) if (source.isUnnamed) nameIndicators(source);
    // All charts of an instrument load together.
    if (missed) klines.reload(missed.key);
  }

  return {
    watch({ add, remove }) {
      const touched = new Set<Source>();
      for (const { id, instrumentId, spec } of add) {
        const provided = provide(instrumentId, spec);
        provided.entry.watchers.add(id);
        watched.set(id, provided);
        touched.add(provided.source);
        if (provided.entry.values !== NONE) changed.add(id);
      }
      for (const id of remove) {
        const gone = watched.get(id);
        if (!gone) continue;
        watched.delete(id);
        changed.delete(id);
        gone.entry.watchers.delete(id);
        touched.add(gone.source);
      }
      settle(touched);
      if (changed.size > 0) field.touch();
    },
    hold(grid, instrumentIds, spec) {
      const before = held.get(grid) ?? [];
      const after = spec ? instrumentIds.map((id) => provide(id, spec)) : [];
      for (const { entry } of before) entry.grids.delete(grid);
      for (const { entry } of after) entry.grids.add(grid);
      if (after.length > 0) held.set(grid, after);
      else held.delete(grid);
      update();
      settle(changedSources(before, after));
    },
    values(instrumentId, spec) {
      const source = sources.get(candlesName({ instrumentId, period: spec.period }));
      return source?.entries.get(columnValueName(spec))?.values ?? NONE;
    },
    barsMissed() {
      for (const source of sources.values()) if (source.state === 'live') source.state = 'missed';
      request();
    },
  };
}

/** The sources of column values that are in one of the lists only. */
function changedSources(before: readonly Held[], after: readonly Held[]): ReadonlySet<Source> {
  const [old, now] = [before, after].map((all) => new Set(all.map(({ entry }) => entry)));
  const one = [...before, ...after].filter(({ entry }) => !old?.has(entry) || !now?.has(entry));
  return new Set(one.map(({ source }) => source));
}

/** How many requests the bars of one instrument may take. */
function costOf(due: readonly Source[]): number {
  const days = due.some(({ key }) => isOfDays(key.period));
  const larger = due.filter(({ key }) => key.period !== '1min').length;
  return larger + (days ? MINUTES_OF_DAY : 1);
}

function lastBar({ bars }: Candles): BarValues {
  const [low, high, volume] = [LOW, HIGH, VOLUME].map((offset) => lastNumber(bars, offset));
  return [low ?? Number.NaN, high ?? Number.NaN, volume ?? Number.NaN];
}

const lastNumber = (bars: Float64Array, offset: number) =>
  bars[bars.length - BAR_STRIDE + offset] ?? Number.NaN;

/** An indicator at the last bar of a change; undefined where the change does not have it. */
function lastOf(
  indicator: NonNullable<ColumnValueSpec['indicator']>,
  { bars, indicators }: Candles,
): BarValues | undefined {
  const key = indicatorKey(indicator);
  const values = indicators?.find((each) => each.key === key)?.values;
  if (!values) return undefined;
  const lines = values.subarray(-INDICATORS[indicator.kind].lines.length);
  const value = columnValue(indicator.kind, lastNumber(bars, CLOSE), lines);
  return [value, Number.NaN, Number.NaN];
}
