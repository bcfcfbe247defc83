import { type DurationMs, longest, timeAfter, timeBetween, toUnixMs } from '#domain/core/time';
import type { Clock } from './ports';

/** Saves what may be lost: at intervals, and never while the page is hidden. */
export interface Leisure {
  /** There is something to save. */
  changed(): void;
  visibilityChanged(visible: boolean): void;
}

/**
 * `first`: the least time between a change and its saving; `every`: between two. WebKit suspends the worker of a page that is
 * left, and the transaction that it has open then locks the database for the next page (D140).
 */
export function createLeisure(
  clock: Clock,
  { first, every }: { first: DurationMs; every: DurationMs },
  save: () => void,
): Leisure {
  let visible = true;
  let isChanged = false;
  let saved = toUnixMs(Number.NEGATIVE_INFINITY);
  let cancel: (() => void) | undefined;

  function saveNow(): void {
    cancel = undefined;
    isChanged = false;
    saved = clock.now();
    save();
  }

  function saveLater(): void {
    if (!visible || !isChanged || cancel) return;
    const spaced = timeBetween(clock.now(), timeAfter(saved, every));
    cancel = clock.after(longest(first, spaced), saveNow);
  }

  return {
    changed() {
      isChanged = true;
      saveLater();
    },
    visibilityChanged(now) {
      visible = now;
      cancel?.();
      cancel = undefined;
      saveLater();
    },
  };
}
