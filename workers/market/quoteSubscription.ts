import { shortest, toDurationMs } from '#domain/core/time';
import { LINGER_MS, type QuoteFilter, type Topics } from '../connection/topics';
import type { Clock } from '../core/ports';
import type { Quotes, Slot } from './quotes';

/** Up to this many instruments are all subscribed: this costs less than a message for each scroll. */
const MOST_UNNARROWED = 100;
/** Send what is in sight at most this often while the user scrolls, ms. */
const NARROW_MS = toDurationMs(250);
/** With the data saver, and in the background, a quote of each instrument at most this often, ms. */
const SAVER_INTERVAL_MS = toDurationMs(1000);
/** In a window that shows charts alone, a quote of each instrument at most this often, ms: their bars come as often as prices do. Without it four windows received 1.45 times as much as one. */
const CHARTS_INTERVAL_MS = toDurationMs(250);
/** How long a `sub` may take to arrive, and the server to send the present state. It need not send it (protocol.md#present-state). */
const CONFIRM_MS = toDurationMs(1000);

export interface QuoteSubscriptionOptions {
  clock: Clock;
  topics: Topics;
  quotes: Quotes;
  codeOf: (id: number) => string | undefined;
  /** Number of listed instruments; 0 until there is a list. */
  listed: () => number;
  /** Quotes in sight may have changed before they were subscribed: the list has to be fetched. */
  unconfirmed: () => void;
}

/** Keeps DAY_MARKET subscribed while quotes are needed, narrowed to the needed codes where that saves traffic (protocol.md#quote-filters). */
export interface QuoteSubscription {
  /**
   * Subscribes the quotes of an instrument; in the background only where they may notify. Returns a function that releases
   * the reference, once.
   */
  retain(id: number, mayNotify?: boolean): () => void;
  /** In the background (`LifecycleListener`) only what may notify is subscribed. */
  setBackground(isBackground: boolean): void;
  setDataSaver(dataSaver: boolean): void;
  /** The page is one of several windows: subscribes only what it shows, however short the list is. */
  narrowToWindow(): void;
  /** The page shows one chart more of each instrument in `add`, and one less of each in `remove`. */
  chart(change: { add: readonly number[]; remove: readonly number[] }): void;
  /** Whether the server has compact rows. */
  setCompact(compact: boolean): void;
  /** The list has changed: an instrument may have another code, or there may be too many to subscribe all. */
  listChanged(): void;
  /** The topics were subscribed again, after a reconnect. */
  resubscribed(): void;
  /**
   * The number of the subscription that the server has, undefined while the last `sub` may be
   * on its way: an HTTP answer that overtook it lacks the ticks in between, which never come.
   */
  readonly confirmed: number | undefined;
  /** Whether any quote may notify. */
  readonly notifies: boolean;
}

const TOPIC = 'DAY_MARKET';

export function createQuoteSubscription(options: QuoteSubscriptionOptions): QuoteSubscription {
  const { clock, topics, quotes } = options;
  const references = new Map<number, number>();
  /** How many references to an instrument may notify. */
  const notifying = new Map<number, number>();
  /** References released a moment ago: still subscribed, for a user who scrolls back. */
  const lingering = new Map<number, () => void>();
  /** How many charts show an instrument. */
  const charts = new Map<number, number>();
  let dataSaver = false;
  let isBackground = false;
  let ofWindow = false;
  let compact = false;
  let releaseTopic: (() => void) | undefined;
  let sentKey: string | undefined;
  /** The present subscription is of all instruments. */
  let takesAll = false;
  /** Instruments of the present subscription. */
  let slots: Slot[] = [];
  let revision = 0;
  let confirmed: number | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let scheduled = false;
  let cancelConfirm = () => {};
  /** Whether the socket has ever been open: nothing is sent before. */
  let isSent = false;

  function quoteFilter(): QuoteFilter | undefined {
    const form = compact ? { compact: 1 as const } : {};
    const listed = options.listed();
    const isShort = listed > 0 && listed <= MOST_UNNARROWED;
    if (isShort && !ofWindow && !dataSaver && !isBackground) return compact ? form : undefined;
    const ids = isBackground ? notifying.keys() : [...references.keys(), ...lingering.keys()];
    const codes = [...ids].flatMap((id) => options.codeOf(id) ?? []);
    const interval = leastInterval();
    return interval ? { codes, interval, ...form } : { codes, ...form };
  }

  function leastInterval(): number | undefined {
    if (dataSaver || isBackground) return SAVER_INTERVAL_MS;
    const isOfCharts = ofWindow && [...references.keys()].every((id) => charts.has(id));
    return isOfCharts ? CHARTS_INTERVAL_MS : undefined;
  }

  /** Sends the subscription with all changes of the same moment or, shortly after another change, of a quarter second. */
  function schedule(): void {
    const left = toDurationMs(Math.max(0, sentAt + NARROW_MS - clock.now()));
    const wait = shortest(NARROW_MS, left);
    if (!scheduled) clock.after(wait, update);
    scheduled = true;
  }

  function update(): void {
    scheduled = false;
    if (references.size === 0) {
      releaseTopic?.();
      releaseTopic = undefined;
      return;
    }
    const next = quoteFilter();
    // Without a list, only what the page has recalled has a code.
    if (options.listed() === 0 && next?.codes?.length === 0) return;
    const sorted = next?.codes && [...next.codes].sort();
    const key = JSON.stringify([next?.interval, next?.compact, sorted]);
    const changed = key !== sentKey;
    sentKey = key;
    takesAll = next?.codes === undefined;
    if (changed) markSubscribed(next);
    releaseTopic ??= topics.retain(TOPIC, { quoteFilter: next, ended });
    if (!changed) return;
    topics.setQuoteFilter(TOPIC, next);
    sentAt = clock.now();
    awaitConfirmation();
  }

  function markSubscribed(filter: QuoteFilter | undefined): void {
    const next = new Set<Slot>();
    if (filter?.codes) {
      for (const code of filter.codes) {
        const slot = quotes.slot(code);
        if (slot !== undefined) next.add(slot);
      }
    } else {
      for (let slot = 0; slot < quotes.size; slot++) next.add(slot);
    }
    for (const slot of slots) if (!next.has(slot)) quotes.setSubscribed(slot, false);
    for (const slot of next) quotes.setSubscribed(slot, true);
    slots = [...next];
  }

  /** A `sub` was sent: until it has surely arrived, the subscription is not confirmed. */
  function awaitConfirmation(): void {
    revision += 1;
    confirmed = undefined;
    cancelConfirm();
    if (!isSent) return;
    cancelConfirm = clock.after(CONFIRM_MS, () => {
      confirmed = revision;
      if (quotes.unconfirmed) options.unconfirmed();
    });
  }

  /** The topic was unsubscribed. */
  function ended(): void {
    sentKey = undefined;
    takesAll = false;
    cancelConfirm();
    for (const slot of slots) quotes.setSubscribed(slot, false);
    slots = [];
  }

  function release(id: number): void {
    if (countDown(references, id) > 0) return;
    const cancel = clock.after(LINGER_MS, () => {
      lingering.delete(id);
      schedule();
    });
    lingering.set(id, cancel);
    if (references.size === 0) schedule();
  }

  return {
    retain(id, mayNotify = false) {
      references.set(id, (references.get(id) ?? 0) + 1);
      if (mayNotify) notifying.set(id, (notifying.get(id) ?? 0) + 1);
      lingering.get(id)?.();
      lingering.delete(id);
      schedule();
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        if (mayNotify) countDown(notifying, id);
        if (isBackground) schedule();
        release(id);
      };
    },
    setBackground(next) {
      isBackground = next;
      // Shown again, the page needs its prices at once.
      update();
    },
    setDataSaver(next) {
      if (dataSaver === next) return;
      dataSaver = next;
      schedule();
    },
    narrowToWindow() {
      ofWindow = true;
      schedule();
    },
    chart({ add, remove }) {
      for (const id of add) charts.set(id, (charts.get(id) ?? 0) + 1);
      for (const id of remove) countDown(charts, id);
      if (ofWindow) schedule();
    },
    setCompact(next) {
      if (compact === next) return;
      compact = next;
      schedule();
    },
    listChanged() {
      // While all instruments are subscribed, a new one is too.
      if (takesAll && slots.length !== quotes.size) {
        markSubscribed(undefined);
        awaitConfirmation();
      }
      schedule();
    },
    resubscribed() {
      isSent = true;
      if (releaseTopic) awaitConfirmation();
    },
    get confirmed() {
      return confirmed;
    },
    get notifies() {
      return notifying.size > 0;
    },
  };
}

/** Counts one reference less; returns how many are left. */
function countDown(references: Map<number, number>, id: number): number {
  const left = (references.get(id) ?? 0) - 1;
  if (left > 0) references.set(id, left);
  else references.delete(id);
  return left;
}
