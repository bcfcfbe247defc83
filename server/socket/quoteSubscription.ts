import type { Outbox } from './outbox';
import { NO_DETAILS, type QuoteEncoder } from './quoteEncoder';
import type { QuoteMessage } from './quoteMessage';
import type { QuoteVersions, SentState } from './quoteVersions';
import type { Scheduled } from './sendSchedule';

/** What a client asked for beside the topic (protocol.md#quote-filters). */
export interface QuoteFilter {
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
  readonly quoteFilter: QuoteFilter;
  /** Places of its instruments in the tables of QuoteVersions. */
  readonly indices: Uint32Array;
  private readonly versions: QuoteVersions;
  private readonly encoder: QuoteEncoder;
  /** Shared by all readers. */
  private readonly message: QuoteMessage;
  private readonly whenDue: (subscription: QuoteSubscription) => void;
  /** What it was sent last; undefined while every tick is sent, and while it is up to date and waits for the next. */
  private seen: SentState | undefined;
  /** By place in `indices`, where a reader that fell behind was sent a part: the turn and the volume that were last sent. */
  private partly: { turn: Float64Array; volume: Float64Array } | undefined;
  /** Rows wait until the reader has caught up. */
  private waiting = false;
  /** Its present state waits until it is due; nothing is sent before. */
  private held = false;

  constructor(
    outbox: Outbox,
    quoteFilter: QuoteFilter,
    indices: Uint32Array,
    versions: QuoteVersions,
    encoder: QuoteEncoder,
    message: QuoteMessage,
    whenDue: (subscription: QuoteSubscription) => void,
  ) {
    this.outbox = outbox;
    this.quoteFilter = quoteFilter;
    this.indices = indices;
    this.versions = versions;
    this.encoder = encoder;
    this.message = message;
    this.whenDue = whenDue;
  }

  get hasWaiting(): boolean {
    return this.waiting;
  }

  /** Whether every tick reaches this reader immediately. */
  get isLive(): boolean {
    return this.seen === undefined;
  }

  due(): void {
    this.held = false;
    this.whenDue(this);
  }

  /** Sends nothing until it is due. */
  hold(): void {
    this.held = true;
  }

  /** From now on the reader is sent the latest quotes that are newer than what it has seen. */
  conflate(seen: SentState): void {
    this.seen = seen;
    this.partly = undefined;
  }

  /** The reader is up to date: forget what it was sent until it is conflated again. */
  forget(): void {
    this.seen = undefined;
  }

  /** Sends the rows that changed since they were last sent, as far as the reader keeps up. Returns whether there were any. */
  flush(): boolean {
    const { indices, versions, encoder, outbox, message, seen, partly } = this;
    if (this.held || !seen) return false;
    const { compact, interval } = this.quoteFilter;
    const { changed, volume } = versions;
    let found = false;
    this.waiting = false;
    message.begin(compact);
    for (let at = 0; at < indices.length; at++) {
      const index = indices[at] as number;
      const turn = partly ? (partly.turn[at] as number) : seen.turn;
      if ((changed[index] as number) <= turn) continue;
      found = true;
      if (message.rows === 0 && !outbox.hasRoom) {
        this.waiting = true;
        this.remember(at, seen);
        return true;
      }
      const before = (partly ? partly.volume[at] : seen.volume[index]) as number;
      const details = compact ? versions.detailsSince(index, turn) : NO_DETAILS;
      encoder.addLatest(message, index, (volume[index] as number) - before, compact, details);
      if (message.rows === ROWS_AT_ONCE) {
        this.send();
        message.begin(compact);
      }
    }
    if (message.rows > 0) this.send();
    this.partly = undefined;
    this.seen = interval === 0 ? undefined : versions.sentState();
    return found;
  }

  private send(): void {
    if (!this.outbox.send(this.message.frame())) this.message.keep();
  }

  /** The instruments before the place `end` were sent, the others not. */
  private remember(end: number, seen: SentState): void {
    if (end === 0) return;
    const { indices, versions } = this;
    this.partly ??= {
      turn: new Float64Array(indices.length).fill(seen.turn),
      volume: Float64Array.from(indices, (index) => seen.volume[index] as number),
    };
    for (let at = 0; at < end; at++) {
      this.partly.turn[at] = versions.turn;
      this.partly.volume[at] = versions.volume[indices[at] as number] as number;
    }
  }
}
