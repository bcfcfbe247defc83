import { type Result, success } from '#domain/core/result';
import type { ChartIndicatorSpecs, Watch } from '#domain/gateway/gateway';
import { type Candles, type CandlesKey, candlesName } from '#domain/market/candles';
import type { Connection } from '../connection/connection';
import { importOnce } from '../core/importOnce';
import type { Part } from '../core/lifecycle';
import type { Clock, Storage } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import { createHistory } from './history';
import { createKeptBars } from './keptBars';
import { type KeptSeries, Series } from './series';

export interface KlinesOptions {
  clock: Clock;
  storage: Storage;
  http: Http;
  connection: Connection;
  frames: Pick<Frames, 'field'>;
  codeOf: (id: number) => string | undefined;
}

/** The bars of the charts that are watched. */
export interface Klines extends Part {
  watch(change: Pick<Watch, 'candles' | 'indicators'>): void;
  loadOlder(key: CandlesKey): Promise<Result<void>>;
  /** Loads again immediately, after a failure. */
  reload(key: CandlesKey): void;
}

/** Loaded with the first indicator: most charts have none. */
const indicatorCode = importOnce(() => import('./chartIndicators'));

interface Watched {
  series: Series;
  references: number;
  /** Releases the topic; undefined while the code of the instrument is not known. */
  release: (() => void) | undefined;
}

export function createKlines(options: KlinesOptions): Klines {
  const { topics, dispatch } = options.connection;
  const all = new Map<number, Watched>();
  /** The indicators of charts that have any, by instrument and period. */
  const indicators = new Map<string, ChartIndicatorSpecs>();
  const kept = createKeptBars(options.storage);
  const field = options.frames.field('candles', () => {
    const candles: Candles[] = [];
    for (const { series } of all.values()) series.collect(candles);
    return candles.length > 0 ? candles : undefined;
  });

  function open(id: number): Watched {
    const history = createHistory(options.http, id);
    const keptSeries: KeptSeries = {
      async load(period) {
        const code = options.codeOf(id);
        return code === undefined ? undefined : kept.load(code, period);
      },
      keep(period, bars) {
        const code = options.codeOf(id);
        if (code !== undefined) kept.keep(code, period, bars);
      },
    };
    const series = new Series(id, options.clock, history, keptSeries, field.gather);
    const watched: Watched = { series, references: 0, release: undefined };
    all.set(id, watched);
    return watched;
  }

  /** Subscribes if the chart is watched and the code is known. Returns whether it did. */
  function subscribe(id: number, watched: Watched): boolean {
    const code = options.codeOf(id);
    if (watched.release || watched.references === 0 || code === undefined) return false;
    const type = `KLINE.${code}` as const;
    dispatch.on(type, (payload) => watched.series.receive(payload));
    watched.release = topics.retain(type, {
      ended() {
        dispatch.off(type);
        end(id, watched);
      },
    });
    return true;
  }

  function end(id: number, watched: Watched): void {
    watched.series.end();
    if (all.get(id) === watched) all.delete(id);
  }

  function add({ instrumentId, period }: CandlesKey): void {
    const watched = all.get(instrumentId) ?? open(instrumentId);
    watched.references += 1;
    subscribe(instrumentId, watched);
    if (watched.series.watch(period)) watched.series.load();
    computeIndicators({ instrumentId, period });
  }

  function nameIndicators({ key, specs }: ChartIndicatorSpecs): void {
    if (specs.length > 0) indicators.set(candlesName(key), { key, specs });
    else indicators.delete(candlesName(key));
    computeIndicators(key);
  }

  /** Gives a chart that is watched its indicators. */
  function computeIndicators(key: CandlesKey): void {
    const series = all.get(key.instrumentId)?.series;
    const wanted = indicators.get(candlesName(key));
    if (!series || !wanted) {
      series?.setIndicators(key.period, undefined);
      return;
    }
    // Where loading fails, the next connection tries again.
    const given = indicatorCode().then(({ ChartIndicators }) => {
      if (
        indicators.get(candlesName(key)) !== wanted ||
        all.get(key.instrumentId)?.series !== series
      )
        return;
      series.setIndicators(key.period, new ChartIndicators(key.period, wanted.specs));
    });
    given.catch(() => undefined);
  }

  function remove({ instrumentId, period }: CandlesKey): void {
    const watched = all.get(instrumentId);
    if (!watched || watched.references === 0) return;
    watched.series.unwatch(period);
    watched.references -= 1;
    if (watched.references > 0) return;
    // The topic lingers, and the series with it. Without a topic it ends now.
    if (watched.release) watched.release();
    else end(instrumentId, watched);
    watched.release = undefined;
  }

  return {
    watch({ candles, indicators: named }) {
      for (const key of candles?.add ?? []) add(key);
      for (const key of candles?.remove ?? []) remove(key);
      if (named) nameIndicators(named);
    },
    loadOlder(key) {
      const watched = all.get(key.instrumentId);
      return watched ? watched.series.loadOlder(key.period) : Promise.resolve(success(undefined));
    },
    reload(key) {
      all.get(key.instrumentId)?.series.load();
    },
    /** Refetches bars that may have been missed. */
    connected() {
      for (const { series } of all.values()) series.load();
      for (const { key } of indicators.values()) {
        if (!all.get(key.instrumentId)?.series.hasIndicators(key.period)) computeIndicators(key);
      }
    },
    visibilityChanged(visible) {
      // The page may be closed soon.
      if (!visible) for (const { series } of all.values()) series.keep();
    },
    listReplaced(setBack) {
      // Charts whose instrument was not listed so far can be subscribed now.
      for (const [id, watched] of all) {
        const fresh = subscribe(id, watched);
        if (setBack) watched.series.reset();
        else if (fresh) watched.series.load();
      }
    },
  };
}
