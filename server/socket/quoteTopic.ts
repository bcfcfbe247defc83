import type { Clock } from '../core/clock';
import { getOrInsert } from '../core/getOrInsert';
import type { MarketQuote, Tick } from '../market/market';
import type { Outbox } from './outbox';
import { ALL_DETAILS, type QuoteEncoder } from './quoteEncoder';
import { QuoteMessage } from './quoteMessage';
import { type QuoteFilter, QuoteSubscription } from './quoteSubscription';
import type { QuoteVersions, SentState } from './quoteVersions';
import { SendSchedule } from './sendSchedule';
import type { TextFrame } from './textFrame';

/** The last turn of a reader to which nothing was sent yet. */
const NOTHING = -1;

/**
 * The topic DAY_MARKET. Readers of every tick share the encoded rows. Readers at
 * intervals compare versions when they are due, so that a tick costs them nothing;
 * one that is up to date waits among the idle ones of its instruments, and is sent
 * their next tick immediately.
 */
export class QuoteTopic {
  private readonly encoder: QuoteEncoder;
  private readonly versions: QuoteVersions;
  private readonly schedule: SendSchedule;
  private readonly clock: Clock;
  private readonly all: Uint32Array;
  private readonly message = new QuoteMessage();
  private readonly subscriptions = new Map<Outbox, QuoteSubscription>();
  /** Readers of every tick of every instrument. */
  private readonly everything = new Set<QuoteSubscription>();
  /** By index: readers of every tick of some instruments. */
  private readonly readers = new Map<number, Set<QuoteSubscription>>();
  /** By index: readers at intervals that are up to date; those of all instruments are in `idle`. */
  private readonly idleReaders = new Map<number, Set<QuoteSubscription>>();
  private readonly idle = new Set<QuoteSubscription>();

  constructor(encoder: QuoteEncoder, versions: QuoteVersions, clock: Clock) {
    this.encoder = encoder;
    this.versions = versions;
    this.schedule = new SendSchedule(clock);
    this.clock = clock;
    this.all = Uint32Array.from(versions.indexOf.values());
  }

  /**
   * Replaces the outbox's former filter and sends the present state, once it may (D80); the same
   * again does nothing.
   */
  subscribe(outbox: Outbox, quoteFilter: QuoteFilter): void {
    const former = this.subscriptions.get(outbox);
    if (former && isSame(former.quoteFilter, quoteFilter)) return;
    this.unsubscribe(outbox);
    const { versions, encoder } = this;
    const indices = quoteFilter.instrumentIds
      ? Uint32Array.from(quoteFilter.instrumentIds, (id) => versions.indexOf.get(id) as number)
      : this.all;
    const subscription = new QuoteSubscription(
      outbox,
      quoteFilter,
      indices,
      versions,
      encoder,
      this.message,
      (due) => this.sendDue(due),
    );
    this.subscriptions.set(outbox, subscription);
    outbox.quotes = subscription;
    const alone = this.subscriptions.size === 1;
    let rows = 0;
    for (const index of indices) {
      const quote = encoder.quote(index);
      if (!quote) continue;
      versions.notePresent(index, quote, alone);
      rows++;
    }
    if (quoteFilter.interval === 0) {
      for (const readers of this.liveSetsOf(subscription)) readers.add(subscription);
    }
    subscription.conflate({ turn: NOTHING, volume: versions.sentState().volume });
    const delay = outbox.isLossless ? 0 : outbox.presentStates.delay(rows, this.clock.now());
    if (delay === 0) {
      this.sendDue(subscription);
      return;
    }
    subscription.hold();
    this.schedule.add(subscription, delay);
  }

  unsubscribe(outbox: Outbox): void {
    const subscription = this.subscriptions.get(outbox);
    if (!subscription) return;
    this.subscriptions.delete(outbox);
    outbox.quotes = undefined;
    this.schedule.remove(subscription);
    this.leaveIdle(subscription);
    this.everything.delete(subscription);
    if (subscription.quoteFilter.instrumentIds) removeFrom(this.readers, subscription);
  }

  /** One turn of the feed. */
  publish(ticks: readonly Tick[]): void {
    if (this.subscriptions.size === 0) return;
    const { versions, encoder } = this;
    const before = versions.sentState();
    versions.turn++;
    for (const reader of this.everything) fallBehindIfSlow(reader, before);
    const own = new Map<QuoteSubscription, string[]>();
    const rows: string[] = [];
    const compactRows: string[] = [];
    const forms = this.liveForms();
    for (const tick of ticks) {
      const index = versions.indexOf.get(tick.instrumentId);
      const latest = index === undefined ? undefined : encoder.quote(index);
      if (index === undefined || !latest) continue;
      const quote = quoteAt(tick, latest);
      const readers = this.readers.get(index);
      // Before the tick is noted: a reader that falls behind has not seen it.
      for (const reader of readers ?? []) if (!own.has(reader)) fallBehindIfSlow(reader, before);
      versions.noteChange(index, tick.volume, quote);
      const details = versions.detailsSince(index, before.turn);
      if (forms.plain) rows.push(encoder.tick(index, tick, quote, false, ALL_DETAILS));
      if (forms.compact) compactRows.push(encoder.tick(index, tick, quote, true, details));
      for (const reader of readers ?? []) {
        if (!reader.isLive) continue;
        const row = encoder.tick(index, tick, quote, reader.quoteFilter.compact, details);
        const list = own.get(reader);
        if (list) list.push(row);
        else own.set(reader, [row]);
      }
    }
    this.sendToLive(rows, compactRows);
    for (const [{ outbox, quoteFilter }, list] of own) {
      outbox.send(encoder.message(list, quoteFilter.compact));
    }
    if (this.hasIdle)
      this.wakeIdle(
        ticks.map(({ instrumentId }) => instrumentId),
        before,
      );
  }

  /** Status or top of the book of these changed: their last price and time are repeated (protocol.md#quote-push). */
  republish(instrumentIds: readonly number[]): void {
    if (this.subscriptions.size === 0) return;
    const { versions, encoder } = this;
    const before = versions.sentState();
    versions.turn++;
    for (const reader of this.everything) fallBehindIfSlow(reader, before);
    const affected = new Set<QuoteSubscription>();
    const indices: number[] = [];
    for (const instrumentId of instrumentIds) {
      const index = versions.indexOf.get(instrumentId);
      const quote = index === undefined ? undefined : encoder.quote(index);
      if (index === undefined || !quote) continue;
      indices.push(index);
      for (const reader of this.readers.get(index) ?? []) {
        if (reader.isLive) reader.conflate(before);
        affected.add(reader);
      }
      versions.noteChange(index, 0, quote);
    }
    for (const reader of affected) reader.flush();
    const rowsOf = (compact: boolean) =>
      indices.map((index) =>
        encoder.latest(index, 0, compact, versions.detailsSince(index, before.turn)),
      );
    const forms = this.liveForms();
    this.sendToLive(forms.plain ? rowsOf(false) : [], forms.compact ? rowsOf(true) : []);
    if (this.hasIdle) this.wakeIdle(instrumentIds, before);
  }

  /** Sends the same bytes to all readers of every tick of every instrument that keep up. */
  private sendToLive(rows: readonly string[], compactRows: readonly string[]): void {
    let frame: TextFrame | undefined;
    let compactFrame: TextFrame | undefined;
    if (rows.length + compactRows.length === 0) return;
    for (const { outbox, isLive, quoteFilter } of this.everything) {
      if (!isLive) continue;
      if (quoteFilter.compact) {
        compactFrame ??= this.encoder.message(compactRows, true);
        outbox.send(compactFrame);
      } else {
        frame ??= this.encoder.message(rows, false);
        outbox.send(frame);
      }
    }
  }

  /** Which forms of a row the live readers of everything take. */
  private liveForms(): { plain: boolean; compact: boolean } {
    let plain = false;
    let compact = false;
    for (const reader of this.everything) {
      if (!reader.isLive) continue;
      if (reader.quoteFilter.compact) compact = true;
      else plain = true;
      if (plain && compact) break;
    }
    return { plain, compact };
  }

  /** Sends a reader the changes, and schedules the next time of one at intervals. */
  private sendDue(subscription: QuoteSubscription): void {
    const { interval, instrumentIds } = subscription.quoteFilter;
    const found = subscription.flush();
    if (interval === 0) return;
    if (found) {
      this.schedule.add(subscription, interval);
      return;
    }
    subscription.forget();
    if (!instrumentIds) {
      this.idle.add(subscription);
      return;
    }
    for (const index of subscription.indices) addTo(this.idleReaders, index, subscription);
  }

  private get hasIdle(): boolean {
    return this.idle.size > 0 || this.idleReaders.size > 0;
  }

  /** Sends the first tick after a pause immediately, to the idle readers of these instruments. */
  private wakeIdle(instrumentIds: readonly number[], before: SentState): void {
    const woken = new Set(this.idle);
    for (const instrumentId of instrumentIds) {
      const index = this.versions.indexOf.get(instrumentId);
      if (index === undefined) continue;
      for (const reader of this.idleReaders.get(index) ?? []) woken.add(reader);
    }
    for (const reader of woken) {
      this.leaveIdle(reader);
      reader.conflate(before);
      this.sendDue(reader);
    }
  }

  private leaveIdle(subscription: QuoteSubscription): void {
    this.idle.delete(subscription);
    if (subscription.quoteFilter.interval > 0 && subscription.quoteFilter.instrumentIds) {
      removeFrom(this.idleReaders, subscription);
    }
  }

  private liveSetsOf(subscription: QuoteSubscription): Set<QuoteSubscription>[] {
    if (!subscription.quoteFilter.instrumentIds) return [this.everything];
    return Array.from(subscription.indices, (index) => setOf(this.readers, index));
  }
}

type ByIndex = Map<number, Set<QuoteSubscription>>;

function setOf(map: ByIndex, index: number): Set<QuoteSubscription> {
  return getOrInsert(map, index, () => new Set<QuoteSubscription>());
}

function addTo(map: ByIndex, index: number, subscription: QuoteSubscription): void {
  setOf(map, index).add(subscription);
}

function removeFrom(map: ByIndex, subscription: QuoteSubscription): void {
  for (const index of subscription.indices) {
    const readers = map.get(index);
    readers?.delete(subscription);
    if (readers?.size === 0) map.delete(index);
  }
}

/** Bid and ask of the tick's own time: the market's quote is that after all ticks of its batch. */
function quoteAt({ bid, ask }: Tick, latest: MarketQuote): MarketQuote {
  if (bid === undefined || ask === undefined) return latest;
  return bid === latest.bid && ask === latest.ask ? latest : { ...latest, bid, ask };
}

function fallBehindIfSlow(reader: QuoteSubscription, seen: SentState): void {
  if (reader.isLive && reader.outbox.slow) reader.conflate(seen);
}

function isSame(a: QuoteFilter, b: QuoteFilter): boolean {
  if (a.interval !== b.interval || a.compact !== b.compact) return false;
  const [x, y] = [a.instrumentIds, b.instrumentIds];
  if (!x || !y) return x === y;
  return x.size === y.size && [...x].every((id) => y.has(id));
}
