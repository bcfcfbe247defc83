import { type ListedInstrument, readInstruments } from '#domain/api/read-market';
import { readFields } from '#domain/core/read';
import { earliest, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Quote } from '#domain/market/instrument';
import { QUOTE, QUOTE_MARKET_OPEN, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { createLeisure } from '../core/leisure';
import type { Clock, Storage } from '../core/ports';

/** Format of the stored data. Data of another version is ignored. */
const VERSION = 1;
const LIST_KEY = 'list';
const QUOTES_KEY = 'quotes';
const SAVE_LIST = { first: toDurationMs(0), every: toDurationMs(60_000) };
const SAVE_QUOTES = { first: toDurationMs(2000), every: toDurationMs(30_000) };

interface SavedQuote {
  quote: Quote;
  arrived: UnixMs;
}

/** Stores the list and the quotes, so that the first frame of the next visit shows something. */
export interface SavedList {
  load(): Promise<{ rows: ListedInstrument[]; quotes: Map<number, SavedQuote> } | undefined>;
  /** Saves the list as the server sent it, at leisure. */
  saveList(raw: unknown): void;
  /** Quotes have moved: saves them at leisure. */
  saveQuotes(): void;
  visibilityChanged(visible: boolean): void;
}

export function createSavedList(
  clock: Clock,
  storage: Storage,
  snapshot: () => Float64Array,
): SavedList {
  let unsaved: unknown;
  const list = createLeisure(clock, SAVE_LIST, () => {
    void storage.set(LIST_KEY, { version: VERSION, rows: unsaved }, true);
    unsaved = undefined;
  });
  const quotes = createLeisure(clock, SAVE_QUOTES, () => {
    void storage.set(QUOTES_KEY, { version: VERSION, quotes: snapshot() }, true);
  });

  return {
    async load() {
      const [kept, prices] = await Promise.all([storage.get(LIST_KEY), storage.get(QUOTES_KEY)]);
      const rows = readInstruments(versioned(kept)?.['rows']);
      return rows && { rows, quotes: readQuotes(versioned(prices)?.['quotes'], clock.now()) };
    },
    saveList(raw) {
      unsaved = raw;
      list.changed();
    },
    saveQuotes: quotes.changed,
    visibilityChanged(visible) {
      list.visibilityChanged(visible);
      quotes.visibilityChanged(visible);
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
