import { signal } from '@preact/signals-react';
import { useCallback, useSyncExternalStore } from 'react';
import { remToPx } from './rem';

/** The width from which on the desktop layout is used (design.md#desktop). */
export const WIDE = '(min-width: 64rem)';

/** By query in px. */
const lists = new Map<string, MediaQueryList>();

/** A rem of the page in px; kept current from the first query on. */
const rem = signal(0);

function observeRem(): void {
  if (rem.peek() > 0) return;
  rem.value = remToPx(1);
  const probe = document.createElement('i');
  Object.assign(probe.style, { position: 'absolute', visibility: 'hidden', inlineSize: '1rem' });
  probe.ariaHidden = 'true';
  document.body.append(probe);
  new ResizeObserver(() => {
    rem.value = remToPx(1);
  }).observe(probe);
}

/** Whether a media query matches; renders when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback((changed: () => void) => watchMedia(query, changed), [query]);
  return useSyncExternalStore(subscribe, () => matchesMedia(query));
}

/** As `matchMedia`, which counts in the browser's text size; here a rem is the page's, as in `@container app`. */
export function matchesMedia(query: string): boolean {
  return listOf(query).matches;
}

/** Calls `changed` whenever the query begins or ceases to match. Returns the function that ends it. */
export function watchMedia(query: string, changed: () => void): () => void {
  let list = listOf(query);
  list.addEventListener('change', changed);
  const stop = rem.subscribe(() => {
    const next = listOf(query);
    if (next === list) return;
    list.removeEventListener('change', changed);
    list = next;
    list.addEventListener('change', changed);
    changed();
  });
  return () => {
    stop();
    list.removeEventListener('change', changed);
  };
}

function listOf(query: string): MediaQueryList {
  observeRem();
  const px = (count: string) => `${Number(count) * rem.peek()}px`;
  const inPx = query.replace(/([\d.]+)rem/g, (_, count) => px(count));
  // Making one takes longer than a small component: each render asks.
  const list = lists.get(inPx) ?? matchMedia(inPx);
  lists.set(inPx, list);
  return list;
}
