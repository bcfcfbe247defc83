import type { ListedInstrument } from '#domain/api/read-market';
import { askedWait, type Result } from '#domain/core/result';
import { type DurationMs, longest, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Frame, Watch } from '#domain/worker/workerApi';
import type { Connection } from '../connection/connection';
import { STALE_MS } from '../connection/connectionTracker';
import { createBackoff } from '../core/backoff';
import { importOnce } from '../core/importOnce';
import type { Lifecycle, LifecycleListener } from '../core/lifecycle';
import type { Ports } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import { createFetchInstruments, type RefreshMode } from './fetchInstruments';
import { createList, type InstrumentList } from './list';
import { createQuoteSubscription, type QuoteSubscription } from './quoteSubscription';
import { Quotes, type Slot } from './quotes';
import type { SavedList } from './savedList';

/** A market whose newest time is this much older than before had its clock set back: another replay or server. */
const SET_BACK_MS = toDurationMs(60_000);
/** Wait this long before fetching the list after a market opened or closed: the list says when it changes next. */
const STATUS_REFRESH_MS = toDurationMs(1000);
/** Least time between two lists that the worker requests by itself; doubled while they fail. */
const QUIET_EVERY_MS = toDurationMs(5000);
const QUIET_CAP_MS = toDurationMs(60_000);
/** Where the page recalls rows, request the list this long after the first quotes, which it would delay, */
const LIST_QUOTED_MS = toDurationMs(100);
/** after the connection, because closed markets send none, */
const LIST_CONNECTED_MS = toDurationMs(300);
/** or after the start, without a connection. */
const LIST_LATEST_MS = toDurationMs(1000);
/** Messages of ticks that are kept until the list comes. */
const MOST_EARLY = 100;
const QUIETLY: RefreshMode = { quiet: true, initial: true };
/** A later answer proves nothing. */
const POLLED: RefreshMode = { ...QUIETLY, timeoutMs: STALE_MS };

/** Loaded with the first list: the first prices do not need it. */
const savedCode = importOnce(() => import('./savedList'));

export interface InstrumentsOptions {
  ports: Ports;
  http: Http;
  connection: Connection;
  frames: Frames;
  lifecycle: Pick<Lifecycle, 'listReplaced'>;
}

/** The instruments and their quotes. */
export interface Instruments extends LifecycleListener {
  readonly quotes: Quotes;
  readonly list: InstrumentList;
  readonly subscription: QuoteSubscription;
  watch(change: NonNullable<Watch['instruments']>): void;
  refresh(mode: RefreshMode): Promise<Result<void>>;
  /** As `refresh`, quietly, for a caller that asks again where it fails. */
  poll(): Promise<Result<void>>;
  /** Does not wait any more for the list that is being fetched. */
  restart(): void;
}

export function createInstruments(options: InstrumentsOptions): Instruments {
  const { http, frames, lifecycle } = options;
  const { topics, dispatch, tracker } = options.connection;
  const { clock, storage } = options.ports;
  const watched = new Map<number, { count: number; release: () => void }>();
  /** Codes of what the page shows while the server's list is on its way (D130). */
  const recalled = new Map<number, string>();
  /** Ends the subscriptions of those that the page has not asked for: it asks once they are laid out. */
  let releaseRecalled = () => {};
  /** Ticks that came before the server's list. */
  const early: unknown[] = [];
  let requested = false;
  let fromServer = false;
  let applying = false;
  /** A tick has opened or closed a market since the last list: rows are in another order, although the list may say nothing new. */
  let reordered = false;
  let quietAt = Number.NEGATIVE_INFINITY;
  /** The least time between two lists that we request ourselves. */
  const spacing = createBackoff({ first: QUIET_EVERY_MS, cap: QUIET_CAP_MS });
  /** Cancels the list that is scheduled. */
  let cancelQuiet: (() => void) | undefined;

  const quotes = new Quotes({
    clock,
    proven: () => tracker.proven,
    changed: frames.touch,
    moved() {
      list.moved();
      if (list.size > 0) saved?.saveQuotes();
    },
    marketChanged() {
      if (applying) return;
      reordered = true;
      refreshSoon(STATUS_REFRESH_MS);
    },
    reasonTold: (slot, reason) => list.setClosedReason(slot, reason || undefined),
    // The exchange has made its step finer: the list knows it.
    finer: () => refreshSoon(toDurationMs(0)),
    newest: tracker.tickTime,
  });
  const list = createList(clock, quotes, frames.revision('listRevision'));
  let saved: SavedList | undefined;
  let visible = true;
  const subscription = createQuoteSubscription({
    clock,
    topics,
    quotes,
    codeOf: (id) => list.instrument(id)?.code ?? recalled.get(id),
    listed: () => list.size,
    // The first list is requested anyway.
    unconfirmed() {
      if (requested) refreshSoon(toDurationMs(0));
    },
  });
  const fetchInstruments = createFetchInstruments({
    clock,
    http,
    confirmed: () => subscription.confirmed,
    received,
  });

  dispatch.on('DAY_MARKET', (payload) => {
    quotes.applyTicks(payload);
    holdEarly(payload);
    // They share a thread with it: what the page shows comes first.
    if (!requested) clock.after(LIST_QUOTED_MS, requestList);
  });
  dispatch.on('DM', (payload) => quotes.applyCompactTicks(payload));
  frames.add((frame: Frame) => {
    const changed = quotes.collect();
    if (changed) frame.quotes = changed;
  });

  async function refresh(mode: RefreshMode): Promise<Result<void>> {
    if (!requested) void restore();
    requested = true;
    const result = await fetchInstruments.refresh(mode);
    if (result.ok) {
      spacing.reset();
      // One that waits for a busy server would keep others waiting.
      if (cancelQuiet) {
        cancelQuiet();
        cancelQuiet = undefined;
        refreshSoon(STATUS_REFRESH_MS);
      }
    } else {
      spacing.next();
      refreshSoon(askedWait(result.failure));
    }
    return result;
  }

  /** Fetches the list quietly, in `wait` or as soon as the last fetch is long enough ago. */
  function refreshSoon(wait: DurationMs): void {
    if (cancelQuiet) return;
    const spaced = toDurationMs(quietAt + spacing.delay - clock.now());
    cancelQuiet = clock.after(longest(wait, spaced), () => {
      cancelQuiet = undefined;
      quietAt = clock.now();
      void refresh(QUIETLY);
    });
  }

  /** A server that does not narrow sends quotes of instruments which only the list makes known. */
  function holdEarly(payload: unknown): void {
    if (fromServer) return;
    early.push(payload);
    if (early.length > MOST_EARLY) early.shift();
  }

  function received(rows: ListedInstrument[], raw: unknown, since: boolean, sentAt: UnixMs): void {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { quote } of rows) newest = Math.max(newest, quote.time ?? newest);
    const setBack = newest > 0 && newest < quotes.newestTime - SET_BACK_MS;
    if (setBack) quotes.forgetTimes();
    const isKnown = fromServer && !setBack && !reordered && list.isSame(rows);
    if (!isKnown) list.replace(rows);
    reordered = false;
    // Marks the connection as proven before the quotes are applied, so that they are not shown as stale.
    tracker.quotesFetched(sentAt);
    applying = true;
    for (const row of rows)
      quotes.applyListed(quotes.add(row.instrument.id, row.instrument.code), row, since, sentAt);
    quotes.applied();
    for (const payload of early.splice(0)) quotes.applyTicks(payload);
    applying = false;
    fromServer = true;
    if (!isKnown) {
      forgetRecalled();
      applyWatched();
    }
    // Requested before the subscription was confirmed; the request that should have confirmed the quotes joined this one.
    if (!since && subscription.confirmed !== undefined && quotes.unconfirmed)
      refreshSoon(toDurationMs(0));
    if (isKnown) return;
    void loadSaved().then((loaded) => loaded?.saveList(raw));
    lifecycle.listReplaced(setBack);
  }

  function slotOf(id: number): Slot | undefined {
    const code = recalled.get(id);
    return list.slot(id) ?? (code === undefined ? undefined : quotes.slot(code));
  }

  /** The list says what there is: the page may have recalled another instrument under the same id. */
  function forgetRecalled(): void {
    for (const code of recalled.values()) {
      const slot = quotes.slot(code);
      if (slot !== undefined) quotes.watch(slot, false);
    }
    recalled.clear();
    releaseRecalled();
  }

  /** Marks watched instruments in the quote table, where they have slots now. */
  function applyWatched(): void {
    for (const id of watched.keys()) {
      const slot = slotOf(id);
      if (slot !== undefined) quotes.watch(slot, true);
    }
    subscription.listChanged();
  }

  function add(id: number): void {
    const known = watched.get(id);
    if (known) {
      known.count += 1;
      return;
    }
    watched.set(id, { count: 1, release: subscription.retain(id) });
    const slot = slotOf(id);
    if (slot !== undefined) quotes.watch(slot, true);
  }

  function remove(id: number): void {
    const known = watched.get(id);
    if (!known) return;
    known.count -= 1;
    if (known.count > 0) return;
    watched.delete(id);
    known.release();
    const slot = slotOf(id);
    if (slot !== undefined) quotes.watch(slot, false);
  }

  function requestList(): void {
    if (!requested) void refresh({ quiet: false, initial: true });
  }

  /** Undefined where its code can't be loaded. */
  async function loadSaved(): Promise<SavedList | undefined> {
    const code = await savedCode().catch(() => undefined);
    if (code && !saved) {
      saved = code.createSavedList(clock, storage, () => quotes.snapshot());
      saved.visibilityChanged(visible);
    }
    return saved;
  }

  /** Shows what the last visit left, unless the server was faster. */
  async function restore(): Promise<void> {
    const stored = await (await loadSaved())?.load();
    if (!stored || fromServer) return;
    list.replace(stored.rows);
    for (const { instrument, quote } of stored.rows) {
      const known = stored.quotes.get(instrument.id) ?? {
        quote,
        arrived: quote.time ?? toUnixMs(0),
      };
      const slot = quotes.add(instrument.id, instrument.code);
      quotes.applyStored(slot, known.quote, known.arrived);
    }
    applyWatched();
    lifecycle.listReplaced(false);
  }

  return {
    quotes,
    list,
    subscription,
    refresh,
    poll: () => fetchInstruments.refresh(POLLED),
    restart: fetchInstruments.restart,
    watch(change) {
      for (const id of change.add) add(id);
      for (const id of change.remove) remove(id);
      if (change.add.length === 0) return;
      releaseRecalled();
      frames.touch();
    },
    started({ language, dataSaver, narrow, visible: shown, recalled: known = [] }) {
      visible = shown;
      list.setLanguage(language);
      subscription.setDataSaver(dataSaver);
      if (narrow) subscription.narrowToWindow();
      for (const { id, code, quote } of known) {
        recalled.set(id, code);
        quotes.recall(quotes.add(id, code), quote);
      }
      const releases = known.map(({ id }) => subscription.retain(id));
      releaseRecalled = () => {
        for (const release of releases.splice(0)) release();
      };
      if (known.length === 0) requestList();
      else clock.after(LIST_LATEST_MS, requestList);
    },
    languageChanged(language) {
      list.setLanguage(language);
      // Names may be in the user's language.
      void refresh(QUIETLY);
    },
    connected() {
      subscription.resubscribed();
      if (!requested) clock.after(LIST_CONNECTED_MS, requestList);
      // The server was not there when the list was requested; the next attempt may be a minute away.
      else if (!fromServer && spacing.delay > QUIET_EVERY_MS) void refresh(QUIETLY);
    },
    connectedAgain() {
      quotes.markUnrefreshed();
      fetchInstruments.restart();
      void refresh(QUIETLY);
    },
    connectionProvenChanged: () => quotes.markWatched(),
    backgroundChanged(isBackground) {
      subscription.setBackground(isBackground);
      // What was not subscribed meanwhile is shown as old until it is refreshed.
      if (!isBackground) quotes.markWatched();
    },
    visibilityChanged(now) {
      visible = now;
      saved?.visibilityChanged(now);
    },
  };
}
