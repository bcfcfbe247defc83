/**
 * Functions that run in the page to observe it. They are sent as text and use nothing from outside
 * themselves.
 */

/** Selectors of a contender's rows. */
export interface Selectors {
  row: string;
  name: string;
  price: string;
  change: string;
}

export interface SeenRow {
  name: string;
  price: string;
  change: string;
}

declare global {
  interface Window {
    benchFirst?: number;
    benchRows?: number;
    /** Resolves when `benchFirst` is there. */
    benchLive?: Promise<void>;
    benchSeen?: { at: number; name: string; price: string }[];
    benchLong?: number[];
    benchDelays?: number[];
    benchEvents?: Map<number, number>;
    benchScrolls?: number;
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
  if (own && window.shownRows) {
    const { x, y, width, height } = own.getBoundingClientRect();
    const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    const { row } = window.market;
    const filled = window.shownRows().length;
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

/** The visible rows as they are. */
export function rowsInSight(selectors: Selectors): SeenRow[] {
  if (window.shownRows) return window.shownRows();
  const first = document.querySelector(selectors.row);
  let scroller = first?.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  if (!scroller) return [];
  const { top, bottom } = scroller.getBoundingClientRect();
  const text = (row: Element, selector: string) => row.querySelector(selector)?.textContent ?? '';
  return [...document.querySelectorAll(selectors.row)]
    .filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top + 1 && box.top < bottom - 1;
    })
    .map((row) => ({
      name: text(row, selectors.name),
      price: text(row, selectors.price),
      change: text(row, selectors.change),
    }));
}

/**
 * Observes long animation frames, slow events and input delays; cheap enough during a measurement.
 */
export function watchSmoothness(): void {
  const long: number[] = [];
  /** The longest event of each interaction: a tap consists of a dozen. */
  const events = new Map<number, number>();
  const delays: number[] = [];
  window.benchLong = long;
  window.benchEvents = events;
  window.benchDelays = delays;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) long.push(duration);
  }).observe({ type: 'long-animation-frame' });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[]) {
      if (interactionId > 0)
        events.set(interactionId, Math.max(duration, events.get(interactionId) ?? 0));
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  const note = (event: Event) => {
    delays.push(performance.now() - event.timeStamp);
  };
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, note, { capture: true, passive: true });
  window.benchScrolls = 0;
  const scrolled = () => {
    window.benchScrolls = (window.benchScrolls ?? 0) + 1;
  };
  addEventListener('scroll', scrolled, { capture: true, passive: true });
}

/** Records each price when it is painted. */
export function watchPrices(selectors: Selectors): void {
  const seen: { at: number; name: string; price: string }[] = [];
  window.benchSeen = seen;
  let changed = new Set<Element>();
  let inFrame = false;
  let waiting = false;
  // What is written inside an animation frame is painted by that frame, anything else by the next
  // one.
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      if (!inFrame) afterFrame();
      inFrame = true;
      callback(time);
    });
  function afterFrame(): void {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      inFrame = false;
      waiting = false;
      if (changed.size === 0) return;
      const at = performance.timeOrigin + performance.now();
      for (const cell of changed) {
        const name = cell.closest(selectors.row)?.querySelector(selectors.name)?.textContent ?? '';
        seen.push({ at, name, price: cell.textContent ?? '' });
      }
      changed = new Set();
    };
    port1.postMessage(0);
  }
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const cell = element?.closest(selectors.price);
      if (cell) changed.add(cell);
      // A row that was rendered as a whole.
      else for (const one of element?.querySelectorAll(selectors.price) ?? []) changed.add(one);
    }
    if (inFrame || waiting) return;
    waiting = true;
    request(() => {
      if (!inFrame) afterFrame();
      inFrame = true;
    });
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}
