import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { Clock } from '../core/clock';
import type { MarketListener, MarketView, Tick } from '../market/market';
import { type Bus, SUBJECTS } from './bus';
import { identityOf } from './description';
import {
  encodeMarketUpdate,
  encodePage,
  type InstrumentState,
  type MarketUpdateEvent,
  type SnapshotPage,
} from './marketUpdate';

/** Without events an empty update is sent this often: a reader learns that it has missed nothing, and that we live. */
const HEARTBEAT_MS: DurationMs = toDurationMs(1_000);
/** Instruments of a page or of an event, so that a message stays below NATS' usual limit of 1 MiB. */
const MOST_STATES = 4_000;
/** 28 bytes each, beside the states. */
const MOST_TICKS = 10_000;
const MOST_BARS = 10_000;

export interface PublisherOptions {
  market: MarketView;
  bus: Bus;
  clock: Clock;
  epoch: number;
}

/** Publishes what the listeners of a market learn, in numbered updates: what happens in one turn is one of them. */
export class MarketPublisher {
  private readonly options: PublisherOptions;
  private readonly ids: readonly number[];
  private readonly identity: string;
  private epoch: number;
  private sequence = 0;
  private events: MarketUpdateEvent[] = [];
  private closedBars: { id: number; bar: Bar }[] = [];
  private sentAt: DurationMs;
  private scheduled = false;
  private cancelHeartbeat = () => {};
  private stopListening = () => {};

  constructor(options: PublisherOptions) {
    this.options = options;
    this.epoch = options.epoch;
    this.ids = options.market.instruments.map(({ id }) => id);
    this.identity = identityOf(options.market);
    this.sentAt = options.clock.elapsed();
  }

  /** After the listeners that match: nobody is told of a tick before it was matched. */
  start(): void {
    this.stopListening = this.options.market.listen(this.listener());
    this.options.bus.answer(SUBJECTS.snapshot, (data) => {
      const { from, epoch } = readPageQuestion(data);
      return epoch > this.epoch ? undefined : encodePage(this.page(from));
    });
    this.beat();
  }

  stop(): void {
    this.cancelHeartbeat();
    this.stopListening();
  }

  /** Every reader asks for a snapshot, because the numbers of this epoch begin anew. */
  beginEpoch(epoch: number): void {
    this.epoch = epoch;
    this.sequence = 0;
    this.flush();
  }

  private listener(): MarketListener {
    const states = (ids: readonly number[]) => ids.map((id) => this.stateOf(id));
    const addStates = (kind: 'status' | 'book', ids: readonly number[]) => {
      for (const part of partsOf(ids, MOST_STATES)) this.add({ kind, states: states(part) });
    };
    return {
      ticks: (ticks) => {
        for (const part of partsOf(ticks, MOST_TICKS)) this.addTicks(part);
        this.flush();
      },
      status: (ids) => addStates('status', ids),
      topOfBook: (ids) => addStates('book', ids),
      barClosed: (id, bar) => {
        this.closedBars.push({ id, bar: { ...bar } });
        this.schedule();
      },
      skipped: () => this.add({ kind: 'skipped' }),
    };
  }

  private addTicks(ticks: readonly Tick[]): void {
    const ids = [...new Set(ticks.map(({ instrumentId }) => instrumentId))];
    const [first = [], ...others] = partsOf(ids, MOST_STATES);
    this.add({ kind: 'ticks', ticks, states: first.map((id) => this.stateOf(id)) });
    for (const part of others) {
      this.add({ kind: 'changed', states: part.map((id) => this.stateOf(id)) });
    }
  }

  private stateOf(id: number): InstrumentState {
    const { market } = this.options;
    const bar = market.currentBar(id);
    return { id, quote: market.quote(id), bar };
  }

  private page(from: number): SnapshotPage {
    // Events that wait are part of the present: their update has the next number.
    if (this.isWaiting) this.flush();
    const { market, clock } = this.options;
    const ids = this.ids.slice(from, from + MOST_STATES);
    return {
      epoch: this.epoch,
      sequence: this.sequence,
      sentAt: clock.elapsed(),
      now: market.now(),
      market: this.identity,
      total: this.ids.length,
      states: ids.map((id) => this.stateOf(id)),
    };
  }

  private add(event: MarketUpdateEvent): void {
    this.addClosedBars();
    this.events.push(event);
    this.schedule();
  }

  /** In the order of the events, all bars of a minute in few. */
  private addClosedBars(): void {
    const bars = this.closedBars;
    this.closedBars = [];
    for (const part of partsOf(bars, MOST_BARS)) this.events.push({ kind: 'bars', bars: part });
  }

  private get isWaiting(): boolean {
    return this.events.length > 0 || this.closedBars.length > 0;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      if (this.isWaiting) this.flush();
    });
  }

  /** Sends what waits; an empty update where nothing does. Large events get messages of their own. */
  private flush(): void {
    this.addClosedBars();
    const { events } = this;
    this.events = [];
    let together: MarketUpdateEvent[] = [];
    let size = 0;
    for (const event of events) {
      const more = sizeOf(event);
      if (size + more > MOST_STATES && together.length > 0) {
        this.send(together);
        together = [];
        size = 0;
      }
      together.push(event);
      size += more;
    }
    this.send(together);
  }

  private send(events: readonly MarketUpdateEvent[]): void {
    const { bus, market, clock } = this.options;
    const { epoch } = this;
    const sequence = ++this.sequence;
    this.sentAt = clock.elapsed();
    const update = { epoch, sequence, sentAt: this.sentAt, now: market.now(), events };
    bus.publish(SUBJECTS.market, encodeMarketUpdate(update));
  }

  private beat(): void {
    const { clock } = this.options;
    this.cancelHeartbeat = clock.after(HEARTBEAT_MS, () => {
      if (clock.elapsed() - this.sentAt >= HEARTBEAT_MS) this.flush();
      this.beat();
    });
  }
}

function sizeOf(event: MarketUpdateEvent): number {
  if (event.kind === 'ticks') return event.states.length + event.ticks.length / 3;
  if (event.kind === 'bars') return event.bars.length / 2;
  return 'states' in event ? event.states.length : 1;
}

function partsOf<T>(items: readonly T[], most: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += most) parts.push(items.slice(from, from + most));
  return parts;
}

/**
 * What a question for a page says: the place of the first instrument, in the order of the market, and the highest epoch that the reader
 * knows. A feed of a lower one, which does not know yet that another one is at work, leaves the answer to that.
 */
export function pageQuestion(from: number, epoch: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, from, true);
  view.setFloat64(4, epoch, true);
  return bytes;
}

function readPageQuestion({ buffer, byteOffset, byteLength }: Uint8Array) {
  const view = new DataView(buffer, byteOffset, byteLength);
  // Without an epoch it is a former release's.
  return { from: view.getUint32(0, true), epoch: byteLength < 12 ? 0 : view.getFloat64(4, true) };
}
