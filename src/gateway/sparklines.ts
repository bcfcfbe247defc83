import { type Signal, signal } from '@preact/signals-core';
import { gateway } from './client';
import { pricesShown } from './pump';

/** The worker caches them for the same time, ms. */
const REFRESH = 60_000;
/** A row that passes by in a fling asks for nothing, ms. */
const IN_SIGHT = 200;
/** Charts kept for rows that come back into sight. */
const MOST_KEPT = 500;

interface Entry {
  closes: Signal<Float32Array | undefined>;
  watchers: number;
}

const entries = new Map<number, Entry>();
/** The last answers, oldest first, and when they came, ms. */
const kept = new Map<number, { closes: Float32Array | undefined; at: number }>();
const queued = new Set<number>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Collects rows that come into sight together into one call. */
function enqueue(id: number): void {
  if (queued.size === 0) setTimeout(() => void fetchQueued(), IN_SIGHT);
  queued.add(id);
}

async function fetchQueued(): Promise<void> {
  await pricesShown();
  const ids = [...queued].filter((id) => entries.has(id));
  queued.clear();
  if (ids.length === 0) return;
  const result = await gateway.sparklines(ids);
  // Rows are complete without sparklines; the next refresh asks again.
  if (!result.ok) return;
  const at = performance.now();
  for (const id of ids) {
    const closes = result.data[id];
    kept.delete(id);
    kept.set(id, { closes, at });
    const entry = entries.get(id);
    if (entry) entry.closes.value = closes;
  }
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

function refresh(): void {
  if (!document.hidden) for (const id of entries.keys()) enqueue(id);
}

/**
 * Calls `paint` with the closes of the last 24 hours, refreshed each minute; with undefined until
 * they are known. Returns the function that ends it.
 */
export function watchSparkline(
  id: number,
  paint: (closes: Float32Array | undefined) => void,
): () => void {
  const last = kept.get(id);
  const entry = entries.get(id) ?? { closes: signal(last?.closes), watchers: 0 };
  entries.set(id, entry);
  entry.watchers++;
  if (!last || performance.now() - last.at >= REFRESH) enqueue(id);
  timer ??= setInterval(refresh, REFRESH);
  const stop = entry.closes.subscribe(paint);
  return () => {
    stop();
    if (--entry.watchers > 0) return;
    entries.delete(id);
    queued.delete(id);
    if (entries.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
