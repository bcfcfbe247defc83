import { type IndicatorSpec, indicatorKey } from '#domain/indicators/catalogue';
import { type CandlesKey, candlesName } from '#domain/market/candles';
import { workerApi } from './workerApi';

/** By chart: what each of those who show it wants. */
const wanted = new Map<string, Map<symbol, readonly IndicatorSpec[]>>();

/** Has the indicators of a chart computed. Returns the function that ends it. */
export function watchIndicators(key: CandlesKey, specs: readonly IndicatorSpec[]): () => void {
  const name = candlesName(key);
  const watchers = wanted.get(name) ?? new Map<symbol, readonly IndicatorSpec[]>();
  const watcher = Symbol(name);
  wanted.set(name, watchers.set(watcher, specs));
  const send = () => {
    const all = [...watchers.values()].flat();
    const each = new Map(all.map((spec) => [indicatorKey(spec), spec]));
    const specs = [...each.values()];
    // A practice session has its own bars: its ids are negative.
    if (key.instrumentId < 0) void workerApi.practice({ do: 'indicators', specs });
    else void workerApi.watch({ indicators: { key, specs } });
  };
  send();
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) wanted.delete(name);
    send();
  };
}
