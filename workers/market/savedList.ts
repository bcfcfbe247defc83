import { type ListedInstrument, readInstruments } from '#domain/api/read-market';
import { readFields } from '#domain/core/read';
import { earliest, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { QUOTE, QUOTE_MARKET_OPEN, QUOTE_STRIDE } from '#domain/gateway/gateway';
import type { Quote } from '#domain/market/instrument';
import type { Clock, Storage } from '../core/ports';

/** Format of the stored data. Data of another version is ignored. */
const VERSION = 1;
const LIST_KEY = 'list';
const QUOTES_KEY = 'quotes';
/** Save the list and the quotes at most this often, ms; the first quotes so soon. */
const SAVE_LIST_MS = toDurationMs(60_000);
const SAVE_QUOTES_MS = toDurationMs(30_000);
const SAVE_FIRST_MS = toDurationMs(2000);

interface SavedQuote {
  quote: Quote;
  arrived: UnixMs;
}

/** Stores the list and the quotes, so that the first frame of the next visit shows something. */
export interface SavedList {
  load(): Promise<{ rows: ListedInstrument[]; quotes: Map<number, SavedQuote> } | undefined>;
  /** Saves the list as the server sent it, unless it was saved lately. */
  keepList(raw: unknown): void;
  /** Quotes have moved: saves them, unless they were saved lately. */
  keepQuotes(): void;
  /**
   * Nothing is saved while the page is hidden (D149): WebKit suspends the worker of a page that is left, in the middle of a write, and
   * the next page then waits for that one.
   */
  visibilityChanged(visible: boolean): void;
}

export function createSavedList(
  clock: Clock,
  storage: Storage,
  snapshot: () => Float64Array,
): SavedList {
  let listSavedAt = Number.NEGATIVE_INFINITY;
  /** What waits to be saved until the page is shown. */
  let list: unknown;
  let visible = true;
  /** Whether quotes have moved since they were saved. */
  let moved = false;
  let wait = SAVE_FIRST_MS;
  let cancelSave: (() => void) | undefined;

  function saveList(): void {
    if (!visible || !list) return;
    listSavedAt = clock.now();
    void storage.set(LIST_KEY, { version: VERSION, rows: list });
    list = undefined;
  }

  function saveQuotes(): void {
    cancelSave = undefined;
    moved = false;
    wait = SAVE_QUOTES_MS;
    void storage.set(QUOTES_KEY, { version: VERSION, quotes: snapshot() });
  }

  function saveLater(): void {
    if (visible && moved) cancelSave ??= clock.after(wait, saveQuotes);
  }

  return {
    async load() {
      const [list, quotes] = await Promise.all([storage.get(LIST_KEY), storage.get(QUOTES_KEY)]);
      const rows = readInstruments(versioned(list)?.['rows']);
      return rows && { rows, quotes: readQuotes(versioned(quotes)?.['quotes'], clock.now()) };
    },
    keepList(raw) {
      if (clock.now() - listSavedAt < SAVE_LIST_MS) return;
      list = raw;
      saveList();
    },
    keepQuotes() {
      moved = true;
      saveLater();
    },
    visibilityChanged(now) {
      visible = now;
      cancelSave?.();
      cancelSave = undefined;
      saveList();
      saveLater();
    },
  };
}

function versioned(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const fields = readFields(value);
  return fields?.['version'] === VERSION ? fields : undefined;
}

/** No arrival is later than `now`: a wrong clock may have stored it. */
function readQuotes(numbers: unknown, now: UnixMs): Map<number, SavedQuote> {
  const quotes = new Map<number, SavedQuote>();
  if (!(numbers instanceof Float64Array)) return quotes;
  for (let at = 0; at + QUOTE_STRIDE <= numbers.length; at += QUOTE_STRIDE) {
    const number = (offset: number) => numbers[at + offset] ?? Number.NaN;
    const time = number(QUOTE.time);
    quotes.set(number(QUOTE.id), {
      quote: {
        close: number(QUOTE.close),
        open: number(QUOTE.open),
        change: number(QUOTE.change),
        time: Number.isNaN(time) ? undefined : toUnixMs(time),
        marketOpen: (number(QUOTE.flags) & QUOTE_MARKET_OPEN) !== 0,
      },
      arrived: earliest(toUnixMs(number(QUOTE.arrived)), now),
    });
  }
  return quotes;
}
