import { type Signal, signal } from '@preact/signals-core';
import { useEffect, useState } from 'react';
import type { Book } from '#domain/market/book';
import { useValue } from '../useValue';
import { workerApi } from './workerApi';
import { observeFrames } from './frameReceiver';

interface Watched {
  readonly book: Signal<Book | undefined>;
  count: number;
}
const watched = new Map<number, Watched>();
const NONE = signal<Book | undefined>(undefined);

observeFrames(({ books }) => {
  for (const { id, bid, ask } of books ?? []) {
    const known = watched.get(id);
    if (known) known.book.value = bid > 0 || ask > 0 ? { bid, ask } : undefined;
  }
});

function watch(id: number): { book: Signal<Book | undefined>; release: () => void } {
  const known = watched.get(id) ?? { book: signal<Book | undefined>(undefined), count: 0 };
  watched.set(id, known);
  known.count++;
  if (known.count === 1) void workerApi.watchBooks({ add: [id], remove: [] });
  return {
    book: known.book,
    release() {
      known.count--;
      if (known.count > 0) return;
      watched.delete(id);
      void workerApi.watchBooks({ add: [], remove: [id] });
    },
  };
}

/** Calls `paint` with the best bid and ask of an instrument, now and when they change. Returns the function that ends it. */
export function watchBook(id: number, paint: (book: Book | undefined) => void): () => void {
  const { book, release } = watch(id);
  const stop = book.subscribe(paint);
  return () => {
    stop();
    release();
  };
}

/** The best bid and ask of an instrument; undefined where its feed has none. Renders when they change. */
export function useBook(id: number): Book | undefined {
  const [held, hold] = useState({ id, book: NONE });
  useEffect(() => {
    const { book, release } = watch(id);
    hold({ id, book });
    return release;
  }, [id]);
  return useValue(held.id === id ? held.book : NONE);
}
