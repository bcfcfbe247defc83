import { type Result, success } from '#domain/core/result';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { type Candles, type CandlesKey, candlesName } from '#domain/market/candles';
import type { ChartIndicatorSpecs, Watch } from '#domain/worker/workerApi';
import type { Connection } from '../connection/connection';
import { importOnce } from '../core/importOnce';
import { createLeisure } from '../core/leisure';
import type { LifecycleListener } from '../core/lifecycle';
import type { Clock, Storage } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import { createBarCache } from './barCache';
import type { Reader } from './chart';
import { createHistory } from './history';
import { Series, type SeriesCache } from './series';

export interface KlinesOptions {
  clock: Clock;
  storage: Storage;
  http: Http;
  connection: Connection;
  frames: Pick<Frames, 'field'>;
  codeOf: (id: number) => string | undefined;
}

/** The bars of the charts that are watched: those of the page come in its frames, those of grids by `collect`. */
export interface Klines extends LifecycleListener {
  watch(change: Pick<Watch, 'candles' | 'indicators'>, reader?: Reader): void;
  /** Calls `changed` whenever a chart of a grid may have changed. There is one listener. */
  follow(changed: () => void): void;
  /** What has changed of the charts of grids since the last call. */
  collect(): Candles[];
  loadOlder(key: CandlesKey): Promise<Result<void>>;
  /** Loads again immediately, after a failure. */
  reload(key: CandlesKey): void;
  /** Fetches the latest bars of charts whose instrument has another `time` than at the last call: all of the page's, and some of the grids'. */
  poll(time: (instrumentId: number) => UnixMs | undefined): void;
}

/** Loaded with the first indicator: most charts have none. */
const indicatorCode = importOnce(() => import('./chartIndicators'));

/** A poll fetches the bars of so many instruments that only grids read: each takes some requests. */
const MOST_OF_GRIDS = 10;

const SAVE_BARS = { first: toDurationMs(2000), every: toDurationMs(30_000) };

interface Watched {
  series: Series;
  references: number;
  /** Releases the topic; undefined while the code of the instrument is not known. */
  release: (() => void) | undefined;
}

export function createKlines(options: KlinesOptions): Klines {
  const { topics, dispatch } = options.connection;
  const all = new Map<number, Watched>();
  /** The indicators of charts that have any, by reader, instrument and period. */
  const indicators = new Map<string, ChartIndicatorSpecs & { reader: Reader }>();
  const nameOf = (reader: Reader, key: CandlesKey) => `${reader} ${candlesName(key)}`;
  let gridChanged = () => {};
  let visible = true;
  const cache = createBarCache(options.storage);
  const field = options.frames.field('candles', () => {
    const candles: Candles[] = [];
    for (const { series } of all.values()) series.collect('page', candles);
    return candles.length > 0 ? candles : undefined;
  });

  const leisure = createLeisure(options.clock, SAVE_BARS, () => {
    for (const { series } of all.values()) series.save();
  });

  function changed(): void {
    leisure.changed();
    field.touch();
    gridChanged();
  }

  function open(id: number): Watched {
    const history = createHistory(options.http, id);
    const seriesCache: SeriesCache = {
      async load(period) {
        const code = options.codeOf(id);
        return code === undefined ? undefined : cache.load(code, period);
      },
      save(period, bars) {
        const code = options.codeOf(id);
        if (visible && code !== undefined) cache.save(code, period, bars);
      },
    };
    const series = new Series(id, options.clock, history, seriesCache, changed);
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

  function add({ instrumentId, period }: CandlesKey, reader: Reader): void {
    const watched = all.get(instrumentId) ?? open(instrumentId);
    watched.references += 1;
    subscribe(instrumentId, watched);
    if (watched.series.watch(period, reader)) watched.series.load();
    computeIndicators({ instrumentId, period }, reader);
  }

  function nameIndicators({ key, specs }: ChartIndicatorSpecs, reader: Reader): void {
    if (specs.length > 0) indicators.set(nameOf(reader, key), { key, specs, reader });
    else indicators.delete(nameOf(reader, key));
    computeIndicators(key, reader);
  }

  /** Gives a chart that is watched its indicators. */
  function computeIndicators(key: CandlesKey, reader: Reader): void {
    const series = all.get(key.instrumentId)?.series;
    const wanted = indicators.get(nameOf(reader, key));
    if (!series || !wanted) {
      series?.setIndicators(key.period, reader, undefined);
      return;
    }
    // Where loading fails, the next connection tries again.
    const given = indicatorCode().then(({ ChartIndicators }) => {
      if (
        indicators.get(nameOf(reader, key)) !== wanted ||
        all.get(key.instrumentId)?.series !== series
      )
        return;
      series.setIndicators(key.period, reader, new ChartIndicators(key.period, wanted.specs));
    });
    given.catch(() => undefined);
  }

  function remove({ instrumentId, period }: CandlesKey, reader: Reader): void {
    const watched = all.get(instrumentId);
    if (!watched || watched.references === 0) return;
    watched.series.unwatch(period, reader);
    watched.references -= 1;
    if (watched.references > 0) return;
    // The topic lingers, and the series with it. Without a topic it ends now.
    if (watched.release) watched.release();
    else end(instrumentId, watched);
    watched.release = undefined;
  }

  /** Refetches bars that may have been missed; those of grids alone are too many for one moment. */
  function refetch(): void {
    for (const { series } of all.values()) if (series.isRead('page')) series.load();
  }

  return {
    watch({ candles, indicators: named }, reader = 'page') {
      for (const key of candles?.add ?? []) add(key, reader);
      for (const key of candles?.remove ?? []) remove(key, reader);
      if (named) nameIndicators(named, reader);
    },
    follow(listener) {
      gridChanged = listener;
    },
    collect() {
      const candles: Candles[] = [];
      for (const { series } of all.values()) series.collect('grid', candles);
      return candles;
    },
    loadOlder(key) {
      const watched = all.get(key.instrumentId);
      return watched ? watched.series.loadOlder(key.period) : Promise.resolve(success(undefined));
    },
    reload(key) {
      all.get(key.instrumentId)?.series.load();
    },
    poll(time) {
      let some = MOST_OF_GRIDS;
      for (const [id, watched] of [...all]) {
        const { series } = watched;
        if (series.isRead('page')) series.poll(time(id));
        else if (some > 0 && series.isRead('grid') && series.poll(time(id))) {
          some -= 1;
          // The others come first the next time.
          all.delete(id);
          all.set(id, watched);
        }
      }
    },
    connected() {
      refetch();
      for (const { key, reader } of indicators.values()) {
        const series = all.get(key.instrumentId)?.series;
        if (!series?.hasIndicators(key.period, reader)) computeIndicators(key, reader);
      }
    },
    backgroundChanged(isBackground) {
      if (!isBackground) refetch();
    },
    visibilityChanged(now) {
      visible = now;
      leisure.visibilityChanged(now);
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
