import { type CandlesKey, candlesName } from '#domain/market/candles';
import type { Watch } from '#domain/worker/workerApi';
import { workerApi } from './workerApi';

/**
 * Counts references to watched items. Once a microtask, the worker gets the difference between
 * the items that it has (`sent`) and those with references, so that a scroll that removes rows and brings them
 * back costs one call or none.
 */
class References<Item> {
  private readonly references = new Map<string, number>();
  private readonly sent = new Map<string, Item>();
  private readonly dirty = new Map<string, Item>();
  private readonly renewed = new Set<string>();
  private readonly keyOf: (item: Item) => string;
  private readonly left: (item: Item) => void;

  /** `left` is called with an item that has no references any more, also where the worker never had it. */
  constructor(keyOf: (item: Item) => string, left: (item: Item) => void = () => {}) {
    this.keyOf = keyOf;
    this.left = left;
  }

  /** Returns the function that releases the reference, once. */
  acquire(item: Item): () => void {
    const key = this.keyOf(item);
    this.count(key, item, 1);
    let held = true;
    return () => {
      if (held) this.count(key, item, -1);
      held = false;
    };
  }

  private count(key: string, item: Item, by: number): void {
    const count = (this.references.get(key) ?? 0) + by;
    if (count > 0) this.references.set(key, count);
    else this.references.delete(key);
    this.dirty.set(key, item);
    schedule();
  }

  /** Removes and adds the item again at the worker, which then sends everything of it. */
  renew(item: Item): void {
    const key = this.keyOf(item);
    if (this.sent.has(key)) this.renewed.add(key);
  }

  /** The changes since the last call. */
  take(): { add: Item[]; remove: Item[] } | undefined {
    const add: Item[] = [];
    const remove: Item[] = [];
    for (const [key, item] of this.dirty) {
      const watched = this.references.has(key);
      if (!watched) this.left(item);
      const sent = this.sent.has(key);
      const renewed = watched && this.renewed.has(key);
      if (sent && (!watched || renewed)) {
        remove.push(item);
        this.sent.delete(key);
      }
      // What a practice session plays comes unasked: its ids are negative.
      if (watched && (!sent || renewed) && !key.startsWith('-')) {
        add.push(item);
        this.sent.set(key, item);
      }
    }
    this.dirty.clear();
    this.renewed.clear();
    return add.length + remove.length > 0 ? { add, remove } : undefined;
  }
}

const forgetters = new Set<(id: number) => void>();
const instruments = new References<number>(String, (id) => {
  for (const forget of forgetters) forget(id);
});
const bars = new References<CandlesKey>(candlesName);
/** Whether a screen shows the account, and what of that was sent to the worker. */
const account = { shown: false, sent: false };
let scheduled = false;

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    const change: Watch = {};
    const changedInstruments = instruments.take();
    const changedBars = bars.take();
    if (changedInstruments) change.instruments = changedInstruments;
    if (changedBars) change.candles = changedBars;
    if (account.shown !== account.sent) change.account = account.sent = account.shown;
    if (Object.keys(change).length > 0) void workerApi.watch(change);
  });
}

/** Counts a reference to an instrument's quotes. Returns the function that releases it. */
export function watchInstrument(id: number): () => void {
  return instruments.acquire(id);
}

/** Calls `forget` when an instrument is no longer watched. */
export function onUnwatched(forget: (id: number) => void): void {
  forgetters.add(forget);
}

/**
 * Counts a reference to the bars of a chart; a new reference gets all bars. Returns the function
 * that releases it.
 */
export function watchBars(key: CandlesKey): () => void {
  bars.renew(key);
  return bars.acquire(key);
}

/** A screen begins to show the summary of the account, or none does any more. */
export function watchAccount(watched: boolean): void {
  account.shown = watched;
  schedule();
}
