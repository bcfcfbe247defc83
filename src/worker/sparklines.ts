import { type Signal, signal } from '@preact/signals-core';
import { pricesShown } from './frameReceiver';
import { whatStaysInSight } from './inSight';
import { workerApi } from './workerApi';

/** The worker caches them for the same time, ms. */
const REFRESH = 60_000;
/** Charts kept for rows that come back into sight. */
const MOST_CACHED = 500;

interface Entry {
  id: number;
  closes: Signal<Float32Array | undefined>;
  watchers: number;
  /** Asks no more, where nothing was asked yet. */
  leave: () => boolean;
}

const entries = new Map<number, Entry>();
/** The last answers, oldest first, and when they came, ms. */
const cache = new Map<number, { closes: Float32Array | undefined; at: number }>();
let timer: ReturnType<typeof setInterval> | undefined;

const enter = whatStaysInSight<Entry>((stayed) => void fetchOf(stayed));

async function fetchOf(stayed: readonly Entry[]): Promise<void> {
  await pricesShown();
  const ids = stayed.filter((entry) => entries.get(entry.id) === entry).map(({ id }) => id);
  if (ids.length === 0) return;
  const result = await workerApi.sparklines(ids);
  // Rows are complete without sparklines; the next refresh asks again.
  if (!result.ok) return;
  const at = performance.now();
  for (const id of ids) {
    const closes = result.data[id];
    cache.delete(id);
    cache.set(id, { closes, at });
    const entry = entries.get(id);
    if (entry) entry.closes.value = closes;
  }
  for (const oldest of cache.keys()) {
    if (cache.size <= MOST_CACHED) break;
    cache.delete(oldest);
  }
}

function refresh(): void {
  if (!document.hidden) for (const entry of entries.values()) entry.leave = enter(entry);
}

/**
 * Calls `paint` with the closes of the last 24 hours, refreshed each minute; with undefined until
 * they are known. Returns the function that ends it.
 */
export function watchSparkline(
  id: number,
  paint: (closes: Float32Array | undefined) => void,
): () => void {
  const last = cache.get(id);
  const entry = entries.get(id) ?? {
    id,
    closes: signal(last?.closes),
    watchers: 0,
    leave: () => false,
  };
  entries.set(id, entry);
  entry.watchers++;
  if (!last || performance.now() - last.at >= REFRESH) {
    entry.leave();
    entry.leave = enter(entry);
  }
  timer ??= setInterval(refresh, REFRESH);
  const stop = entry.closes.subscribe(paint);
  return () => {
    stop();
    if (--entry.watchers > 0) return;
    entries.delete(id);
    entry.leave();
    if (entries.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
