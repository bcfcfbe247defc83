import type { MarketQuote } from '../market/market';
import { ALL_DETAILS, NO_DETAILS, OPEN, STATUS, TOP_OF_BOOK } from './quoteEncoder';

type NotedQuote = Pick<MarketQuote, 'open' | 'marketOpen' | 'bid' | 'ask'>;

const NEVER = -1;
/** Of a market status: neither open nor closed. */
const UNKNOWN = 2;
/** Of a bid and an ask: no price, and not the absence of one. */
const UNKNOWN_PRICE = -1;

/** The state that readers of one turn were sent: all changes up to it, and the volume of each instrument. */
export interface SentState {
  readonly turn: number;
  /** By index. */
  readonly volume: Float64Array;
}

/**
 * The versions that readers of DAY_MARKET are compared with: for each instrument the
 * number of the turn that last changed it, and the volume traded so far. A reader
 * refers to the state of the turn in which it was last sent something, so a tick
 * costs the same however many readers there are.
 */
export class QuoteVersions {
  /** The number of the present turn of the feed. */
  turn = 0;
  private latest: SentState | undefined;
  /** By index: the turn of the last change; -1 where nothing was traded. */
  readonly changed: Float64Array;
  /** By index: the turn in which the open of the day, or the status, last changed. */
  private readonly openChanged: Float64Array;
  private readonly statusChanged: Float64Array;
  /** By index: the volume since the process began. */
  readonly volume: Float64Array;
  /** The place of an instrument in these tables. */
  readonly indexOf: ReadonlyMap<number, number>;
  private readonly topOfBookChanged: Float64Array;
  private readonly open: Float64Array;
  /** NaN where the feed has none. */
  private readonly bid: Float64Array;
  private readonly ask: Float64Array;
  private readonly marketOpen: Uint8Array;

  constructor(instrumentIds: readonly number[]) {
    const count = instrumentIds.length;
    this.indexOf = new Map(instrumentIds.map((id, index) => [id, index]));
    this.changed = new Float64Array(count).fill(NEVER);
    this.openChanged = new Float64Array(count).fill(NEVER);
    this.statusChanged = new Float64Array(count).fill(NEVER);
    this.topOfBookChanged = new Float64Array(count).fill(NEVER);
    this.bid = new Float64Array(count).fill(Number.NaN);
    this.ask = new Float64Array(count).fill(Number.NaN);
    this.volume = new Float64Array(count);
    this.open = new Float64Array(count).fill(Number.NaN);
    this.marketOpen = new Uint8Array(count).fill(UNKNOWN);
  }

  /** All of the present turn; between two turns of the feed. */
  sentState(): SentState {
    if (this.latest?.turn !== this.turn) {
      this.latest = { turn: this.turn, volume: this.volume.slice() };
    }
    return this.latest;
  }

  /** Which details of an instrument changed after `turn`; all of them for a reader to which nothing was sent yet (-1). */
  detailsSince(index: number, turn: number): number {
    if (turn < 0) return ALL_DETAILS;
    const open = (this.openChanged[index] as number) > turn ? OPEN : NO_DETAILS;
    const topOfBook = (this.topOfBookChanged[index] as number) > turn ? open | TOP_OF_BOOK : open;
    return (this.statusChanged[index] as number) > turn ? topOfBook | STATUS : topOfBook;
  }

  /**
   * The quote that a new reader is sent: it may be older than the first reader. `alone`: there is no other reader. For others,
   * what is newer than noted is a change that they are yet to be told: it is noted as unknown, so that the next row tells it to all.
   */
  notePresent(index: number, quote: NotedQuote, alone: boolean): void {
    if (this.changed[index] === NEVER) this.changed[index] = this.turn;
    const marketOpen = quote.marketOpen ? 1 : 0;
    if (this.open[index] !== quote.open) this.open[index] = alone ? quote.open : Number.NaN;
    if (this.marketOpen[index] !== marketOpen) {
      this.marketOpen[index] = alone ? marketOpen : UNKNOWN;
    }
    const { bid = Number.NaN, ask = Number.NaN } = quote;
    if (!Object.is(this.bid[index], bid) || !Object.is(this.ask[index], ask)) {
      this.bid[index] = alone ? bid : UNKNOWN_PRICE;
      this.ask[index] = alone ? ask : UNKNOWN_PRICE;
    }
  }

  /** The instrument was traded in the present turn, or its status or top of the book changed: then `volume` is 0. */
  noteChange(index: number, volume: number, quote: NotedQuote): void {
    const marketOpen = quote.marketOpen ? 1 : 0;
    if (this.open[index] !== quote.open) {
      this.open[index] = quote.open;
      this.openChanged[index] = this.turn;
    }
    if (this.marketOpen[index] !== marketOpen) {
      this.marketOpen[index] = marketOpen;
      this.statusChanged[index] = this.turn;
    }
    const { bid = Number.NaN, ask = Number.NaN } = quote;
    // NaN is not equal to itself.
    if (!Object.is(this.bid[index], bid) || !Object.is(this.ask[index], ask)) {
      this.bid[index] = bid;
      this.ask[index] = ask;
      this.topOfBookChanged[index] = this.turn;
    }
    this.changed[index] = this.turn;
    this.volume[index] = (this.volume[index] ?? 0) + volume;
  }
}
