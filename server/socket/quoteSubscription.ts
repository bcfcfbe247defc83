import type { Outbox } from './outbox';
import type { QuoteEncoder } from './quoteEncoder';
import type { QuoteVersions } from './quoteVersions';
import type { Scheduled } from './sendSchedule';

/** What a client asked for beside the topic (protocol.md#narrowing). */
export interface Narrowing {
  /** Only these; all where undefined. */
  instrumentIds: ReadonlySet<number> | undefined;
  /** At most one row an instrument in so many ms; 0: every tick. */
  interval: number;
  /** Rows as arrays (protocol.md#compact-quotes). */
  compact: boolean;
}

/** Rows of one message, so that a slow reader's last one is never long. */
const ROWS_AT_ONCE = 256;

/** One reader of DAY_MARKET, and what it was last sent of each instrument. */
export class QuoteSubscription implements Scheduled {
  slot: number | undefined;
  readonly outbox: Outbox;
  readonly narrowing: Narrowing;
  /** Places of its instruments in the tables of QuoteVersions. */
  readonly indices: Uint32Array;
  private readonly versions: QuoteVersions;
  private readonly encoder: QuoteEncoder;
  private readonly whenDue: (subscription: QuoteSubscription) => void;
  /** By place in `indices`: the turn and the volume that were last sent. Undefined while every tick is sent. */
  private sentTurn: Float64Array | undefined;
  private sentVolume: Float64Array | undefined;
  /** Rows wait until the reader has caught up. */
  private waiting = false;
  /** Its present state waits until it is due; nothing is sent before. */
  private held = false;

  constructor(
    outbox: Outbox,
    narrowing: Narrowing,
    indices: Uint32Array,
    versions: QuoteVersions,
    encoder: QuoteEncoder,
    whenDue: (subscription: QuoteSubscription) => void,
  ) {
    this.outbox = outbox;
    this.narrowing = narrowing;
    this.indices = indices;
    this.versions = versions;
    this.encoder = encoder;
    this.whenDue = whenDue;
  }

  get hasWaiting(): boolean {
    return this.waiting;
  }

  /** Whether every tick reaches this reader at once. */
  get isLive(): boolean {
    return this.sentTurn === undefined;
  }

  due(): void {
    this.held = false;
    this.whenDue(this);
  }

  /** Sends nothing until it is due. */
  hold(): void {
    this.held = true;
  }

  /** From now on the reader is sent the latest quotes; it has seen all turns up to `turn`. */
  conflate(turn: number): void {
    this.sentTurn = new Float64Array(this.indices.length).fill(turn);
    this.sentVolume = Float64Array.from(this.indices, (index) => this.versions.volume[index] ?? 0);
  }

  /** Sends the rows that changed since they were last sent, as far as the reader keeps up. Returns whether there were any. */
  flush(): boolean {
    const { indices, versions, encoder, outbox, sentTurn, sentVolume } = this;
    if (this.held || !sentTurn || !sentVolume) return false;
    const { compact, interval } = this.narrowing;
    let rows: string[] = [];
    let found = false;
    this.waiting = false;
    for (let at = 0; at < indices.length; at++) {
      const index = indices[at] as number;
      const sent = sentTurn[at] as number;
      if ((versions.changed[index] as number) <= sent) continue;
      found = true;
      if (rows.length === 0 && !outbox.hasRoom) {
        this.waiting = true;
        return true;
      }
      const volume = versions.volume[index] as number;
      const since = volume - (sentVolume[at] as number);
      rows.push(encoder.latest(index, since, compact, versions.detailsSince(index, sent)));
      sentTurn[at] = versions.turn;
      sentVolume[at] = volume;
      if (rows.length === ROWS_AT_ONCE) {
        outbox.send(encoder.message(rows, compact));
        rows = [];
      }
    }
    if (rows.length > 0) outbox.send(encoder.message(rows, compact));
    // A reader of every tick that has caught up needs no memory of what it was sent.
    if (interval === 0) {
      this.sentTurn = undefined;
      this.sentVolume = undefined;
    }
    return found;
  }
}
