import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { MarketQuote, MarketView, Tick } from '../market/market';
import { changeText, priceText, volumeText } from '../market/quotes/rows';
import type { QuoteMessage } from './quoteMessage';
import { asciiJson, type TextFrame, textFrame } from './textFrame';

type Quote = Pick<MarketQuote, 'open' | 'marketOpen' | 'bid' | 'ask'>;

/** Which of the fields that rarely change a compact row carries. */
export const NO_DETAILS = 0;
export const OPEN = 1;
export const STATUS = 2;
export const TOP_OF_BOOK = 4;
export const ALL_DETAILS = OPEN | STATUS | TOP_OF_BOOK;

/** In the place of bid and ask where there are none any more. */
const NO_TOP_OF_BOOK = ['0', '0'] as const;

/** An encoded quote around the one value that differs from reader to reader: the volume. */
interface Encoded {
  price: number;
  open: number;
  time: UnixMs;
  marketOpen: boolean;
  bid: number | undefined;
  ask: number | undefined;
  before: string;
  after: string;
  compactBefore: string;
  compactOpen: string;
  /** Both sides; empty where the feed never had any. */
  compactTopOfBook: string;
}

/** The last row of each instrument, as bytes, which all readers that are due together share. */
class Rows {
  readonly bytes: Buffer[];
  readonly length: Uint32Array;
  /** NaN where the row is not that of the latest quote. */
  readonly volume: Float64Array;

  constructor(count: number) {
    this.bytes = new Array(count).fill(Buffer.alloc(0));
    this.length = new Uint32Array(count);
    this.volume = new Float64Array(count).fill(Number.NaN);
  }

  put(index: number, volume: number, row: string): void {
    this.volume[index] = volume;
    this.length[index] = row.length;
    if ((this.bytes[index] as Buffer).length < row.length) {
      this.bytes[index] = Buffer.alloc(row.length + SPARE);
    }
    this.bytes[index]?.write(row, 'latin1');
  }
}

/** A row may grow by so many bytes before it needs other memory. */
const SPARE = 8;

/** Encodes rows of DAY_MARKET, each once however many readers it has. Instruments are named by their index in the market's list. */
export class QuoteEncoder {
  private readonly market: MarketView;
  private readonly instruments: readonly Instrument[];
  /** How the rows of an instrument begin. */
  private readonly heads: readonly string[];
  private readonly latestQuotes: (MarketQuote | undefined)[];
  private readonly latestEncoded: (Encoded | undefined)[];
  /** By index: 1 where a row had a bid and an ask, so that readers have to be told when there are none any more. */
  private readonly hasTopOfBook: Uint8Array;
  private readonly rows: Rows;
  private readonly compactRows: Rows;

  constructor(market: MarketView) {
    this.market = market;
    this.instruments = market.instruments;
    this.heads = market.instruments.map(({ id, code }) =>
      asciiJson({ Id: id, Code: code }).slice(0, -1),
    );
    const count = market.instruments.length;
    this.latestQuotes = new Array(count).fill(undefined);
    this.latestEncoded = new Array(count).fill(undefined);
    this.hasTopOfBook = new Uint8Array(count);
    this.rows = new Rows(count);
    this.compactRows = new Rows(count);
  }

  /** Reads the quote from the market, for `latest` and `addLatest`, which run once for each reader. Undefined where nothing was traded yet. */
  quote(index: number): MarketQuote | undefined {
    const quote = this.market.quote(this.instrument(index).id);
    this.latestQuotes[index] = quote;
    this.rows.volume[index] = Number.NaN;
    this.compactRows.volume[index] = Number.NaN;
    return quote;
  }

  /** The row of one tick. `details`: the further fields of a compact row. */
  tick(
    index: number,
    { price, time, volume }: Tick,
    quote: Quote,
    compact: boolean,
    details: number,
  ): string {
    const encoded = this.encoded(index, price, time, quote);
    return compact ? compactRow(encoded, volume, details) : row(encoded, volume);
  }

  /** The row of what `quote` gave last. */
  latest(index: number, volume: number, compact: boolean, details: number): string {
    const quote = this.latestQuotes[index];
    if (!quote) throw new Error(`no quote of ${this.instrument(index).code}`);
    const encoded = this.encoded(index, quote.price, quote.time, quote);
    return compact ? compactRow(encoded, volume, details) : row(encoded, volume);
  }

  /** Adds the row of what `quote` gave last to a message. */
  addLatest(
    message: QuoteMessage,
    index: number,
    volume: number,
    compact: boolean,
    details: number,
  ): void {
    if (compact && details !== NO_DETAILS) {
      message.addText(this.latest(index, volume, compact, details));
      return;
    }
    const rows = compact ? this.compactRows : this.rows;
    if (rows.volume[index] !== volume) {
      rows.put(index, volume, this.latest(index, volume, compact, details));
    }
    message.add(rows.bytes[index] as Buffer, rows.length[index] as number);
  }

  message(rows: readonly string[], compact: boolean): TextFrame {
    return textFrame(`{"type":"${compact ? 'DM' : 'DAY_MARKET'}","data":[${rows.join(',')}]}`);
  }

  private instrument(index: number): Instrument {
    const instrument = this.instruments[index];
    if (!instrument) throw new Error(`no instrument ${index}`);
    return instrument;
  }

  private encoded(index: number, price: number, time: UnixMs, quote: Quote): Encoded {
    const known = this.latestEncoded[index];
    const { open, marketOpen, bid, ask } = quote;
    if (
      known &&
      known.price === price &&
      known.time === time &&
      known.open === open &&
      known.marketOpen === marketOpen &&
      known.bid === bid &&
      known.ask === ask
    ) {
      return known;
    }
    const { id, precision } = this.instrument(index);
    const [close, opened] = [priceText(price, precision), priceText(open, precision)];
    const change = changeText(price, open);
    const topOfBook = this.topOfBookTexts(index, bid, ask, precision);
    const encoded: Encoded = {
      price,
      open,
      time,
      marketOpen,
      bid,
      ask,
      before: `${this.heads[index]},"Open":"${opened}","Close":"${close}","Change":"${change}","Volume":"`,
      after: `","Time":${time},"MarketStatus":${marketOpen ? 1 : 0}${topOfBook ? `,"Bid":"${topOfBook[0]}","Ask":"${topOfBook[1]}"` : ''}}`,
      compactBefore: `[${id},"${close}",${time},"`,
      compactOpen: `"${opened}"`,
      compactTopOfBook: topOfBook ? `"${topOfBook[0]}","${topOfBook[1]}"` : '',
    };
    this.latestEncoded[index] = encoded;
    return encoded;
  }

  /** Both sides; 0 where there are none any more, undefined where there never were (protocol.md#quote-push). */
  private topOfBookTexts(
    index: number,
    bid: number | undefined,
    ask: number | undefined,
    precision: number,
  ): readonly [string, string] | undefined {
    if (bid === undefined || ask === undefined)
      return this.hasTopOfBook[index] ? NO_TOP_OF_BOOK : undefined;
    this.hasTopOfBook[index] = 1;
    return [priceText(bid, precision), priceText(ask, precision)];
  }
}

function row({ before, after }: Encoded, volume: number): string {
  return before + volumeText(volume) + after;
}

/** [Id, Close, Time, Volume, Open?, MarketStatus?, Bid?, Ask?] (protocol.md#compact-quotes). */
function compactRow(encoded: Encoded, volume: number, details: number): string {
  const { compactBefore, compactOpen, compactTopOfBook, marketOpen } = encoded;
  if (details === NO_DETAILS) return `${compactBefore}${volumeText(volume)}"]`;
  const open = details & OPEN ? compactOpen : 'null';
  const topOfBook = details & TOP_OF_BOOK && compactTopOfBook ? `,${compactTopOfBook}` : '';
  const told = details & STATUS ? `,${marketOpen ? 1 : 0}` : '';
  const status = told || (topOfBook && ',null');
  return `${compactBefore}${volumeText(volume)}",${open}${status}${topOfBook}]`;
}
