import type { Clock } from '../core/clock';
import { getOrInsert } from '../core/getOrInsert';
import type { Tick } from '../market/market';
import type { Outbox } from './outbox';
import { dayMarketMessage, type QuoteEncoder } from './quoteEncoder';

/** How a subscription is narrowed (protocol.md#narrowing). */
export interface Narrowing {
  /** Only these instruments; undefined for all. */
  instrumentIds: ReadonlySet<number> | undefined;
  /** At most one row of an instrument in this many ms; 0: every tick. */
  interval: number;
}

interface Subscription extends Narrowing {
  outbox: Outbox;
  /** Volumes since the last message, during the interval. */
  waiting: Map<number, number>;
  stopTimer: (() => void) | undefined;
}

/**
 * The topic DAY_MARKET. One message is encoded for all unfiltered readers; the others are indexed
 * by instrument, so that a tick costs only the readers that want it.
 */
export class QuoteTopic {
  private readonly encoder: QuoteEncoder;
  private readonly clock: Clock;
  private readonly allIds: readonly number[];
  private readonly subscriptions = new Map<Outbox, Subscription>();
  private readonly plain = new Set<Subscription>();
  private readonly narrowedToAll = new Set<Subscription>();
  private readonly narrowed = new Map<number, Set<Subscription>>();

  constructor(encoder: QuoteEncoder, clock: Clock, every: readonly number[]) {
    this.encoder = encoder;
    this.clock = clock;
    this.allIds = every;
  }

  /**
   * Replaces the previous narrowing and sends the present state. The same narrowing again does
   * nothing (D51).
   */
  subscribe(outbox: Outbox, { instrumentIds, interval }: Narrowing): void {
    const former = this.subscriptions.get(outbox);
    if (former?.interval === interval && isSame(former.instrumentIds, instrumentIds)) return;
    this.unsubscribe(outbox);
    const subscription: Subscription = {
      instrumentIds,
      interval,
      outbox,
      waiting: new Map(),
      stopTimer: undefined,
    };
    this.subscriptions.set(outbox, subscription);
    for (const readers of this.readersOf(subscription)) readers.add(subscription);
    const present = new Map<number, number>();
    for (const instrumentId of instrumentIds ?? this.allIds) {
      if (this.encoder.isTraded(instrumentId)) present.set(instrumentId, 0);
    }
    if (present.size > 0) this.deliver(subscription, present);
  }

  unsubscribe(outbox: Outbox): void {
    const subscription = this.subscriptions.get(outbox);
    if (!subscription) return;
    subscription.stopTimer?.();
    this.subscriptions.delete(outbox);
    this.plain.delete(subscription);
    this.narrowedToAll.delete(subscription);
    for (const instrumentId of subscription.instrumentIds ?? []) {
      const readers = this.narrowed.get(instrumentId);
      readers?.delete(subscription);
      if (readers?.size === 0) this.narrowed.delete(instrumentId);
    }
    outbox.dropQuotes();
  }

  /** Sends one batch of ticks. */
  publish(ticks: readonly Tick[]): void {
    if (this.subscriptions.size === 0) return;
    const rows = new Map<Subscription, string[]>();
    const volumes = new Map<Subscription, Map<number, number>>();
    const all: string[] = [];
    const allVolumes = new Map<number, number>();
    for (const tick of ticks) {
      const { instrumentId, volume } = tick;
      const readers = this.narrowed.get(instrumentId);
      if (this.plain.size + this.narrowedToAll.size === 0 && !readers) continue;
      const row = this.encoder.tick(tick);
      if (row === undefined) continue;
      all.push(row);
      sum(allVolumes, instrumentId, volume);
      for (const reader of readers ?? []) {
        if (reader.interval === 0 && !reader.outbox.slow)
          getOrInsert(rows, reader, () => []).push(row);
        else
          sum(
            getOrInsert(volumes, reader, () => new Map()),
            instrumentId,
            volume,
          );
      }
    }
    if (all.length === 0) return;
    this.sendToPlain(() => dayMarketMessage(all), allVolumes);
    for (const [reader, own] of rows) reader.outbox.send(dayMarketMessage(own));
    for (const [reader, own] of volumes) this.deliver(reader, own);
    for (const reader of this.narrowedToAll) this.deliver(reader, allVolumes);
  }

  /** Sends last price and time of instruments whose status has changed (protocol.md#quote-push). */
  republish(instrumentIds: readonly number[]): void {
    const unchanged = new Map<number, number>();
    const volumes = new Map<Subscription, Map<number, number>>();
    for (const instrumentId of instrumentIds) {
      if (!this.encoder.isTraded(instrumentId)) continue;
      unchanged.set(instrumentId, 0);
      for (const reader of this.narrowed.get(instrumentId) ?? []) {
        getOrInsert(volumes, reader, () => new Map<number, number>()).set(instrumentId, 0);
      }
    }
    this.sendToPlain(() => this.encoder.message(unchanged), unchanged);
    for (const [reader, own] of volumes) this.deliver(reader, own);
    for (const reader of this.narrowedToAll) this.deliver(reader, unchanged);
  }

  /** Sends the same bytes to all unfiltered readers that keep up. */
  private sendToPlain(
    encode: () => Buffer | undefined,
    volumes: ReadonlyMap<number, number>,
  ): void {
    let message: Buffer | undefined;
    for (const { outbox } of this.plain) {
      if (outbox.slow) {
        outbox.holdQuotes(volumes);
      } else {
        message ??= encode();
        if (message) outbox.send(message);
      }
    }
  }

  /** Sends the latest quotes, at once or when interval and reader allow. */
  private deliver(subscription: Subscription, volumes: ReadonlyMap<number, number>): void {
    const { outbox, interval, waiting } = subscription;
    if (subscription.stopTimer) {
      for (const [instrumentId, volume] of volumes) sum(waiting, instrumentId, volume);
      return;
    }
    outbox.holdQuotes(volumes);
    outbox.flush();
    if (interval === 0) return;
    subscription.stopTimer = this.clock.after(interval, () => {
      subscription.stopTimer = undefined;
      if (waiting.size === 0) return;
      const due = new Map(waiting);
      waiting.clear();
      this.deliver(subscription, due);
    });
  }

  private readersOf(subscription: Subscription): Set<Subscription>[] {
    const { instrumentIds, interval } = subscription;
    if (!instrumentIds) return [interval === 0 ? this.plain : this.narrowedToAll];
    return [...instrumentIds].map((id) =>
      getOrInsert(this.narrowed, id, () => new Set<Subscription>()),
    );
  }
}

function isSame(a: ReadonlySet<number> | undefined, b: ReadonlySet<number> | undefined): boolean {
  if (!a || !b) return a === b;
  return a.size === b.size && [...a].every((item) => b.has(item));
}

function sum(volumes: Map<number, number>, instrumentId: number, volume: number): void {
  volumes.set(instrumentId, (volumes.get(instrumentId) ?? 0) + volume);
}
