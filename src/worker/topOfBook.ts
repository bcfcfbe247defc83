import { type Signal, signal } from '@preact/signals-core';
import { useEffect, useState } from 'react';
import type { TopOfBook } from '#domain/market/topOfBook';
import type { ShownOfBook } from '#domain/worker/market';
import { useValue } from '../useValue';
import { observeFrames } from './frameReceiver';
import { workerApi } from './workerApi';

interface Watched {
  readonly topOfBook: Signal<TopOfBook | undefined>;
  /** How often it is watched, by what is shown of it. */
  readonly counts: Record<ShownOfBook, number>;
}
const watched = new Map<number, Watched>();
const NONE = signal<TopOfBook | undefined>(undefined);

observeFrames(({ topsOfBook }) => {
  for (const { id, bid, ask } of topsOfBook ?? []) {
    const known = watched.get(id);
    if (known) known.topOfBook.value = bid > 0 || ask > 0 ? { bid, ask } : undefined;
  }
});

function watch(
  id: number,
  shown: ShownOfBook = 'both',
): { topOfBook: Signal<TopOfBook | undefined>; release: () => void } {
  const known = watched.get(id) ?? {
    topOfBook: signal<TopOfBook | undefined>(undefined),
    counts: { both: 0, spread: 0 },
  };
  const { topOfBook, counts } = known;
  watched.set(id, known);
  counts[shown]++;
  if (counts[shown] === 1) void workerApi.watchTopsOfBook({ add: [id], remove: [] }, shown);
  return {
    topOfBook,
    release() {
      counts[shown]--;
      if (counts.both + counts.spread === 0) watched.delete(id);
      if (counts[shown] === 0) void workerApi.watchTopsOfBook({ add: [], remove: [id] }, shown);
    },
  };
}

/**
 * Calls `paint` with the best bid and ask of an instrument, now and when they change, or where only that is shown when the spread
 * does. Returns the function that ends it.
 */
export function watchTopOfBook(
  id: number,
  paint: (topOfBook: TopOfBook | undefined) => void,
  shown?: ShownOfBook,
): () => void {
  const { topOfBook, release } = watch(id, shown);
  const stop = topOfBook.subscribe(paint);
  return () => {
    stop();
    release();
  };
}

/** The best bid and ask of an instrument; undefined where its feed has none. Renders when they change. */
export function useTopOfBook(id: number): TopOfBook | undefined {
  const [held, hold] = useState({ id, topOfBook: NONE });
  useEffect(() => {
    const { topOfBook, release } = watch(id);
    hold({ id, topOfBook });
    return release;
  }, [id]);
  return useValue(held.id === id ? held.topOfBook : NONE);
}
