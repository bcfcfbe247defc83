import type { ListedInstrument } from '#domain/api/read-market';
import type { Result } from '#domain/core/result';
import type { Frame, Watch } from '#domain/gateway/gateway';
import type { Connection } from '../connection/connection';
import { createBackoff } from '../core/backoff';
import type { Lifecycle, Part } from '../core/lifecycle';
import type { Ports } from '../core/ports';
import type { Frames } from '../frames/frames';
import type { Http } from '../http/client';
import { createFollowing, type Following } from './following';
import { createList, type InstrumentList } from './list';
import { type Asking, createListing } from './listing';
import { Quotes } from './quotes';
import { createSavedList } from './savedList';

/** A market whose newest time is this much older than it was has had its clock set back: another replay, another server (D33). */
const SET_BACK_MS = 60_000;
/** After a market opened or closed the list tells when it will change again. */
const STATUS_REFRESH_MS = 1000;
/** Between two lists that we ask for ourselves; doubled while they fail. */
const QUIET_EVERY_MS = 5000;
const QUIET_CAP_MS = 60_000;
const QUIETLY: Asking = { quiet: true, initial: true };

export interface InstrumentsOptions {
  ports: Ports;
  http: Http;
  connection: Connection;
  frames: Frames;
  lifecycle: Pick<Lifecycle, 'listReplaced'>;
}

/** The instruments and their quotes. */
export interface Instruments extends Part {
  readonly quotes: Quotes;
  readonly list: InstrumentList;
  readonly following: Following;
  watch(change: NonNullable<Watch['instruments']>): void;
  /** The instrument of the chart: drawn oftener than the list. */
  select(id: number | undefined): void;
  refresh(asking: Asking): Promise<Result<void>>;
}

export function createInstruments(options: InstrumentsOptions): Instruments {
  const { http, frames, lifecycle } = options;
  const { topics, dispatch, link } = options.connection;
  const { clock, storage } = options.ports;
  const watched = new Map<number, { count: number; release: () => void }>();
  let selected: number | undefined;
  let fromServer = false;
  let applying = false;
  let quietAt = Number.NEGATIVE_INFINITY;
  /** The least time between two lists that we request ourselves. */
  const spacing = createBackoff({ first: QUIET_EVERY_MS, cap: QUIET_CAP_MS });
  let quietScheduled = false;

  const quotes = new Quotes({
    clock,
    proven: () => link.proven,
    changed: frames.gather,
    selectedChanged: frames.touchSelected,
    moved() {
      list.moved();
      saved.keepQuotes();
    },
    marketChanged() {
      if (!applying) refreshSoon(STATUS_REFRESH_MS);
    },
    newest: link.tickTime,
  });
  const list = createList(clock, quotes, frames.revision('listRevision'));
  const saved = createSavedList(clock, storage, () => quotes.snapshot());
  const following = createFollowing({
    clock,
    topics,
    quotes,
    codeOf: (id) => list.instrument(id)?.code,
    listed: () => list.size,
    unconfirmed: () => refreshSoon(0),
  });
  const listing = createListing({ http, standing: () => following.standing, received });

  dispatch.on('DAY_MARKET', (payload) => quotes.applyTicks(payload));
  frames.add(
    (frame: Frame) => {
      const changed = quotes.collect();
      if (changed) frame.quotes = changed;
    },
    (frame: Frame) => {
      const changed = quotes.collectSelected();
      if (changed) frame.quotes = changed;
    },
  );

  async function refresh(asking: Asking): Promise<Result<void>> {
    const result = await listing.refresh(asking);
    if (result.ok) {
      spacing.reset();
    } else {
      spacing.next();
      refreshSoon(0);
    }
    return result;
  }

  /** Quietly, in `ms` or as soon as the last one is not too recent. */
  function refreshSoon(ms: number): void {
    if (quietScheduled) return;
    quietScheduled = true;
    clock.after(Math.max(ms, quietAt + spacing.delay - clock.now()), () => {
      quietScheduled = false;
      quietAt = clock.now();
      void refresh(QUIETLY);
    });
  }

  function received(rows: ListedInstrument[], raw: unknown, since: boolean): void {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { quote } of rows) newest = Math.max(newest, quote.time ?? newest);
    const setBack = newest > 0 && newest < quotes.newestTime - SET_BACK_MS;
    if (setBack) quotes.forgetTimes();
    list.replace(rows);
    // The answer proves that what it holds is fresh before it is applied.
    link.quotesFetched();
    applying = true;
    for (const { instrument, quote } of rows) {
      quotes.applyListed(quotes.add(instrument.id, instrument.code), quote, since);
    }
    applying = false;
    fromServer = true;
    settle();
    // Asked for too early: the one that should have confirmed what is followed joined it.
    if (!since && following.standing !== undefined && quotes.unconfirmed) refreshSoon(0);
    saved.keepList(raw);
    lifecycle.listReplaced(setBack);
  }

  /** What is watched by its id now has a slot. */
  function settle(): void {
    for (const id of watched.keys()) {
      const slot = list.slot(id);
      if (slot !== undefined) quotes.watch(slot, true);
    }
    select(selected);
    following.listChanged();
  }

  function select(id: number | undefined): void {
    selected = id;
    quotes.select(id === undefined ? undefined : list.slot(id));
  }

  function add(id: number): void {
    const known = watched.get(id);
    if (known) {
      known.count += 1;
      return;
    }
    watched.set(id, { count: 1, release: following.retain(id) });
    const slot = list.slot(id);
    if (slot !== undefined) quotes.watch(slot, true);
  }

  function remove(id: number): void {
    const known = watched.get(id);
    if (!known) return;
    known.count -= 1;
    if (known.count > 0) return;
    watched.delete(id);
    known.release();
    const slot = list.slot(id);
    if (slot !== undefined) quotes.watch(slot, false);
  }

  /** Shows what the last visit left, unless the server was faster. */
  async function restore(): Promise<void> {
    const stored = await saved.load();
    if (!stored || fromServer) return;
    list.replace(stored.rows);
    for (const { instrument, quote } of stored.rows) {
      const known = stored.quotes.get(instrument.id) ?? { quote, arrived: quote.time ?? 0 };
      const slot = quotes.add(instrument.id, instrument.code);
      quotes.applyStored(slot, known.quote, known.arrived);
    }
    settle();
    lifecycle.listReplaced(false);
  }

  return {
    quotes,
    list,
    following,
    refresh,
    select,
    watch(change) {
      for (const id of change.add) add(id);
      for (const id of change.remove) remove(id);
      if (change.add.length > 0) frames.touch();
    },
    started({ language, dataSaver }) {
      list.setLanguage(language);
      following.setSaver(dataSaver);
      void restore();
      void refresh({ quiet: false, initial: true });
    },
    languageChanged(language) {
      list.setLanguage(language);
      // Names may be in the user's language.
      void refresh(QUIETLY);
    },
    connected: following.resubscribed,
    connectedAgain() {
      quotes.outdate();
      listing.restart();
      void refresh(QUIETLY);
    },
    linkProvenChanged: () => quotes.markWatched(),
    visibilityChanged(visible) {
      if (!visible) saved.flush();
    },
  };
}
