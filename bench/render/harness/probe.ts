/**
 * Functions that run in the page to observe it. They are sent as text and use nothing from outside
 * themselves.
 */
import type { SeenPrice } from '#domain/workload/ages';
import type { Selectors } from '../../../src/probe/rows';

export type { Selectors } from '../../../src/probe/rows';

/** The names of rows whose price was marked, and the prices of rows that are no elements. */
export interface SeenRows {
  marked: string[];
  seen: SeenPrice[];
}

declare global {
  interface Window {
    benchFirst?: number;
    benchRows?: number;
    /** Resolves when `benchFirst` is there. */
    benchLive?: Promise<void>;
    benchScroller?: Element;
    benchRowsSeen?: () => SeenRows;
  }
}

/**
 * Runs before the page: notes when the first live quote was painted, one that the list did not
 * contain. Then removes itself. Without a list it notes the first price of all, live or not, as `benchRows`.
 */
export function noteFirstQuote(selectors: Selectors, listed?: Record<string, string>): void {
  let painted = () => {};
  if (listed)
    window.benchLive = new Promise((resolve) => {
      painted = resolve;
    });
  const look = () => {
    for (const row of document.querySelectorAll(selectors.row)) {
      const name = row.querySelector(selectors.name)?.textContent ?? '';
      const price = row.querySelector(selectors.price)?.textContent?.trim() ?? '';
      if (price === '' || (listed && (!listed[name] || price === listed[name]))) continue;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = () => {
          window[listed ? 'benchFirst' : 'benchRows'] = performance.now();
          painted();
        };
        port1.postMessage(0);
      });
      return;
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

/** Runs before the page: puts into IndexedDB what the device keeps, where `idb-keyval` finds it. */
export function fillDatabase(values: Record<string, unknown>): void {
  const opening = indexedDB.open('keyval-store');
  opening.onupgradeneeded = () => opening.result.createObjectStore('keyval');
  opening.onsuccess = () => {
    const store = opening.result.transaction('keyval', 'readwrite').objectStore('keyval');
    for (const [key, value] of Object.entries(values)) store.put(value, key);
    opening.result.close();
  };
}

/** The element that scrolls the rows. */
export function describeList(
  selectors: Selectors,
): { height: number; row: number; x: number; y: number; filled: number } | undefined {
  const own = document.querySelector('[data-scroller]');
  if (own && globalThis.shownRows) {
    const { x, y, width, height } = own.getBoundingClientRect();
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    const { row } = window.market;
    const filled = globalThis.shownRows().length;
    // A grid may have heads of its own within the element.
    return filled > 0 ? { height: filled * row, row, ...middle, filled } : undefined;
  }
  const row = document.querySelector(selectors.row);
  // The app's list before React has another height than the one that stays.
  if (!row || row.closest('.boot')) return undefined;
  let scroller = row.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  if (!scroller) return undefined;
  const box = scroller.getBoundingClientRect();
  const filled = [...document.querySelectorAll(selectors.row)].filter(
    (each) => each.querySelector(selectors.price)?.textContent,
  ).length;
  // The heads of a grid's columns stay over its rows.
  const head = scroller.querySelector('[role=columnheader]')?.parentElement?.clientHeight ?? 0;
  return {
    height: scroller.clientHeight - head,
    row: row.getBoundingClientRect().height,
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    filled,
  };
}

/** Scrolls the list to `top`, px, as far as it can. Returns how far; null where it does not scroll. */
export function scrollList(selectors: Selectors, top: number): number | null {
  const scrolls = (one: Element) =>
    /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1;
  const within = (one: Element): Element | undefined => {
    if (scrolls(one)) return one;
    for (const each of [...one.children, ...(one.shadowRoot?.children ?? [])]) {
      const found = within(each);
      if (found) return found;
    }
    return undefined;
  };
  const find = () => {
    const own = document.querySelector('[data-scroller]');
    if (own && globalThis.shownRows) return within(own);
    let one = document.querySelector(selectors.row)?.parentElement;
    while (one && !scrolls(one)) one = one.parentElement;
    return one ?? undefined;
  };
  // Once it has scrolled wrongly, there may be no row to find it by.
  const scroller = window.benchScroller ?? find();
  if (!scroller) return null;
  window.benchScroller = scroller;
  const most = scroller.scrollHeight - scroller.clientHeight;
  // WebKit goes to the beginning where the number is too large for it.
  if (Math.abs(scroller.scrollTop - Math.min(top, most)) > 1)
    scroller.scrollTop = Math.min(top, scroller.scrollHeight);
  return scroller.scrollTop;
}

/**
 * Looks ten times a second at which prices `mark` marks, and at the prices of rows that are no elements. `benchRowsSeen` looks
 * once more and returns both.
 */
export function watchRows(selectors: Selectors, mark?: string): void {
  const marked = new Set<string>();
  const prices = new Map<string, string>();
  const seen: SeenPrice[] = [];
  const look = () => {
    for (const cell of mark ? document.querySelectorAll(mark) : [])
      marked.add(cell.closest(selectors.row)?.querySelector(selectors.name)?.textContent ?? '');
    const at = performance.timeOrigin + performance.now();
    for (const { name, price } of globalThis.shownRows?.() ?? []) {
      const before = prices.get(name);
      prices.set(name, price);
      if (before !== undefined && before !== price) seen.push({ at, name, price });
    }
    return { marked: [...marked], seen };
  };
  window.benchRowsSeen = look;
  look();
  setInterval(look, 100);
}
