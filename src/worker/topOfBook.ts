import { type Signal, signal } from '@preact/signals-core';
import { useEffect, useState } from 'react';
import type { TopOfBook } from '#domain/market/topOfBook';
import { useValue } from '../useValue';
import { observeFrames } from './frameReceiver';
import { workerApi } from './workerApi';

interface Watched {
  readonly topOfBook: Signal<TopOfBook | undefined>;
  count: number;
}
const watched = new Map<number, Watched>();
const NONE = signal<TopOfBook | undefined>(undefined);

observeFrames(({ topsOfBook }) => {
  for (const { id, bid, ask } of topsOfBook ?? []) {
    const known = watched.get(id);
    if (known) known.topOfBook.value = bid > 0 || ask > 0 ? { bid, ask } : undefined;
  }
});

function watch(id: number): { topOfBook: Signal<TopOfBook | undefined>; release: () => void } {
  const known = watched.get(id) ?? {
    topOfBook: signal<TopOfBook | undefined>(undefined),
    count: 0,
  };
  watched.set(id, known);
  known.count++;
  if (known.count === 1) void workerApi.watchTopsOfBook({ add: [id], remove: [] });
  return {
    topOfBook: known.topOfBook,
    release() {
      known.count--;
      if (known.count > 0) return;
      watched.delete(id);
      void workerApi.watchTopsOfBook({ add: [], remove: [id] });
    },
  };
}

/** Calls `paint` with the best bid and ask of an instrument, now and when they change. Returns the function that ends it. */
export function watchTopOfBook(
  id: number,
  paint: (topOfBook: TopOfBook | undefined) => void,
): () => void {
  const { topOfBook, release } = watch(id);
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
