import type { Category } from '#domain/api/market';
import type { Result } from '#domain/core/result';
import type { CandlesKey } from '#domain/market/candles';
import type { Watch, WorkerApi } from '#domain/worker/workerApi';
import type { Connection } from '../connection/connection';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { Lifecycle, LifecycleListener } from '../core/lifecycle';
import type { Ports } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import type { MarketReads } from '../http/marketReads';
import { createInstruments, type Instruments } from './instruments';
import type { Klines } from './klines';
import { createLazyKlines } from './lazyKlines';

const readsCode = importOnce(() => import('../http/marketReads'));

export interface MarketOptions {
  ports: Ports;
  http: Http;
  connection: Connection;
  frames: Frames;
  lifecycle: Pick<Lifecycle, 'listReplaced'>;
}

type MarketCalls = Pick<
  WorkerApi,
  | 'watch'
  | 'setDataSaver'
  | 'rows'
  | 'rowIndex'
  | 'row'
  | 'refreshList'
  | 'categories'
  | 'sparklines'
  | 'loadOlder'
  | 'reloadCandles'
>;

/** Instruments, quotes, categories, bars and sparklines. */
export interface Market {
  readonly calls: MarketCalls;
  readonly listeners: readonly LifecycleListener[];
  readonly instruments: Instruments;
  readonly klines: Klines;
}

function charted({ add, remove }: NonNullable<Watch['candles']>) {
  const ids = (keys: readonly CandlesKey[]) => keys.map(({ instrumentId }) => instrumentId);
  return { add: ids(add), remove: ids(remove) };
}

export function createMarket({
  ports,
  http,
  connection,
  frames,
  lifecycle,
}: MarketOptions): Market {
  const { clock, storage } = ports;
  const instruments = createInstruments({ ports, http, connection, frames, lifecycle });
  const { list } = instruments;
  const klines = createLazyKlines({
    clock,
    storage,
    http,
    connection,
    frames,
    codeOf: (id) => list.instrument(id)?.code,
  });
  const reads = lazy<MarketReads>(async () => (await readsCode()).createMarketReads(http, clock), {
    categories: true,
    sparklines: true,
  });
  /** In the present language; undefined where they have to be fetched. */
  let categories: Promise<Result<Category[]>> | undefined;

  return {
    instruments,
    klines,
    listeners: [
      instruments,
      klines,
      {
        languageChanged() {
          categories = undefined;
        },
      },
    ],
    calls: {
      watch(change) {
        if (change.instruments) instruments.watch(change.instruments);
        if (change.candles || change.indicators) klines.watch(change);
        if (change.candles) instruments.subscription.chart(charted(change.candles));
      },
      setDataSaver: instruments.subscription.setDataSaver,
      rows: list.rows,
      rowIndex: list.rowIndex,
      row: list.row,
      refreshList: () => instruments.refresh({ quiet: false, initial: false }),
      async categories() {
        categories ??= reads.categories();
        const request = categories;
        const result = await request;
        if (!result.ok && categories === request) categories = undefined;
        return result;
      },
      sparklines: reads.sparklines,
      loadOlder: klines.loadOlder,
      reloadCandles: klines.reload,
    },
  };
}
