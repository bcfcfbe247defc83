import { flushSync } from 'react-dom';
import {
  UNSAFE_createHashHistory as createHashHistory,
  type Location,
  type To,
} from 'react-router-dom';

/** The open sheets in the order of their opening: how to close each. */
const sheets: (() => void)[] = [];

interface EntryState {
  /** Its place in the history since the app was opened; not known of an address that was typed. */
  idx?: number | null | undefined;
  /** Open sheets. */
  sheets?: number;
  /** The address of the screen before. */
  before?: string;
}

/** What the present entry of the browser's history says. */
export function entryState(): EntryState {
  const { idx, usr } = (history.state ?? {}) as EntryState & { usr?: EntryState | null };
  return { ...usr, idx };
}

/** A traversal that a navigation has overtaken comes within this time, ms. */
const LATE_MS = 1000;

/** Brings the history entries in line with the open sheets; nothing without a router. */
let settle = () => {};

/**
 * Keeps a history entry while a sheet is open, so that Back closes the sheet and not the screen
 * (screens.md#sheets). Returns how to release it.
 */
export function holdEntry(close: () => void): () => void {
  sheets.push(close);
  // One sheet that replaces another in the same render takes over its entry.
  queueMicrotask(() => settle());
  return () => {
    sheets.splice(sheets.indexOf(close), 1);
    queueMicrotask(() => settle());
  };
}

/**
 * The router's history with an entry for each open sheet on top of the screen's. Such an entry has
 * the screen's location and `key`, which makes it no navigation, and in its state how many sheets
 * are open. A navigation first leaves the entries of sheets, so that they are always the last ones.
 * No screen comes twice in a row: a screen's entry knows the address before it, and what would
 * be replaced by that address is left for it instead.
 */
export function createSheetHistory(): ReturnType<typeof createHashHistory> {
  const router = createHashHistory({ v5Compat: true });
  const { listen, push, replace, go, createHref } = router;
  const { href } = location;
  const entries = (): number => entryState().sheets ?? 0;

  /** Whether a traversal of ours is pending: the browser does it later. */
  let moving = false;
  /** Whether the traversal that has just arrived is ours. */
  let ours = false;
  /** The screen that it stays on. */
  let screen = '';
  /** Navigations that wait for its end. */
  let waiting: (() => void)[] = [];
  /** Where the address went while a traversal of ours was pending: that one still leads back from there. */
  let overtaken: Location | undefined;

  const move = (delta: number) => {
    moving = true;
    screen = location.href;
    go(delta);
  };

  settle = () => {
    if (moving) return;
    if (entries() > sheets.length) return move(sheets.length - entries());
    while (entries() < sheets.length) {
      const entry: Location = { ...router.location, state: { sheets: entries() + 1 } };
      push(entry);
    }
  };

  const onArrival = () => {
    ours = moving;
  };
  const closeLeft = () =>
    flushSync(() => {
      for (const close of sheets.slice(entries())) close();
    });

  const onPop = () => {
    // Who heard of this one has begun another, which comes later.
    if (moving && !ours) return closeLeft();
    const stays = screen === location.href;
    const to = overtaken;
    overtaken = undefined;
    if (to && stays) return (entries() > 0 ? replace : push)(to);
    if (moving && !stays && waiting.length === 0) {
      overtaken = router.location;
      setTimeout(() => {
        overtaken = undefined;
      }, LATE_MS);
    }
    const navigations = waiting;
    const back = !moving || navigations.length > 0;
    moving = false;
    waiting = [];
    // Closing takes effect before `settle` looks for sheets that did not close.
    if (back) closeLeft();
    for (const navigate of navigations) {
      if (moving) waiting.push(navigate);
      else navigate();
    }
    settle();
  };

  const after = (steps: number, navigate: () => void) => {
    waiting.push(navigate);
    if (!moving) move(-steps);
  };
  const afterSheets = (navigate: () => void) => {
    if (!moving && entries() === 0) navigate();
    else after(entries(), navigate);
  };
  const isHere = (to: To) => createHref(to) === createHref(router.location);

  const pushOn = (to: To, given: unknown) => {
    if (isHere(to)) return replaceBy(to, given);
    // A window of the workspace shows its panels only (screens.md#windows).
    if (router.location.pathname === '/panel') return void open(createHref(to), '_blank');
    push(to, { ...Object(given), before: createHref(router.location) });
  };
  const replaceBy = (to: To, given: unknown) => {
    const { before } = entryState();
    if (before !== createHref(to)) return replace(to, { ...Object(given), before });
    // The entry before may have become another one since.
    after(1, () => {
      if (!isHere(to)) pushOn(to, given);
    });
  };

  return Object.assign(router, {
    listen(onChange: Parameters<typeof listen>[0]) {
      addEventListener('popstate', onArrival);
      const unlisten = listen(onChange);
      // A row that is tapped while the app renders navigates before the router listens.
      if (location.href !== href) {
        onChange({ action: router.action, location: router.location, delta: null });
      }
      // After the router's own listener.
      addEventListener('popstate', onPop);
      // A reload ends at the entry of a sheet that is not open any more.
      settle();
      return () => {
        removeEventListener('popstate', onArrival);
        removeEventListener('popstate', onPop);
        unlisten();
      };
    },
    push: (to: To, given?: unknown) => afterSheets(() => pushOn(to, given)),
    replace: (to: To, given?: unknown) => afterSheets(() => replaceBy(to, given)),
    go(delta: number) {
      if (delta >= 0 || moving || entries() === 0) return go(delta);
      waiting.push(() => {});
      move(delta - entries());
    },
  });
}
