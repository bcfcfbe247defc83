import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Market, MarketQuote, Tick } from '../market/market';
import { priceText, tickRow, volumeText } from '../market/quotes/rows';
import { asciiJson, type TextFrame, textFrame } from './textFrame';

type Quote = Pick<MarketQuote, 'open' | 'marketOpen'>;

/** Which of the fields that rarely change a compact row carries. */
export const NO_DETAILS = 0;
export const OPEN = 1;
export const STATUS = 2;
export const ALL_DETAILS = OPEN | STATUS;

/** An encoded quote around the one value that differs from reader to reader: the volume. */
interface Encoded {
  price: number;
  open: number;
  time: UnixMs;
  marketOpen: boolean;
  before: string;
  after: string;
  compactBefore: string;
  compactOpen: string;
  /** The last rows made of it: readers that are sent to together take the same. */
  volume: number;
  row: string | undefined;
  compactVolume: number;
  compactRow: string | undefined;
}

const PLACE = '"Volume":"0"';

/** Encodes rows of DAY_MARKET, each once however many readers it has. Instruments go by their index in the market's list. */
export class QuoteEncoder {
  private readonly market: Market;
  private readonly instruments: readonly Instrument[];
  private readonly latestQuotes: (MarketQuote | undefined)[];
  private readonly latestRows: (Encoded | undefined)[];

  constructor(market: Market) {
    this.market = market;
    this.instruments = market.instruments;
    this.latestQuotes = new Array(market.instruments.length).fill(undefined);
    this.latestRows = new Array(market.instruments.length).fill(undefined);
  }

  /** Asks the market, which `latest` does not: it has a row for each reader. Undefined where nothing was traded yet. */
  quote(index: number): MarketQuote | undefined {
    const quote = this.market.quote(this.instrument(index).id);
    this.latestQuotes[index] = quote;
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

  message(rows: readonly string[], compact: boolean): TextFrame {
    return textFrame(`{"type":"${compact ? 'DM' : 'DAY_MARKET'}","data":[${rows.join(',')}]}`);
  }

  private instrument(index: number): Instrument {
    const instrument = this.instruments[index];
    if (!instrument) throw new Error(`no instrument ${index}`);
    return instrument;
  }

  private encoded(index: number, price: number, time: UnixMs, quote: Quote): Encoded {
    const known = this.latestRows[index];
    const { open, marketOpen } = quote;
    if (
      known &&
      known.price === price &&
      known.time === time &&
      known.open === open &&
      known.marketOpen === marketOpen
    ) {
      return known;
    }
    const instrument = this.instrument(index);
    const text = asciiJson(tickRow(instrument, { price, volume: 0, time }, quote));
    const place = text.indexOf(PLACE);
    const { id, precision } = instrument;
    const encoded: Encoded = {
      price,
      open,
      time,
      marketOpen,
      before: `${text.slice(0, place)}"Volume":"`,
      after: text.slice(place + PLACE.length - 1),
      compactBefore: `[${id},"${priceText(price, precision)}",${time},"`,
      compactOpen: `"${priceText(open, precision)}"`,
      volume: Number.NaN,
      row: undefined,
      compactVolume: Number.NaN,
      compactRow: undefined,
    };
    this.latestRows[index] = encoded;
    return encoded;
  }
}

function row(encoded: Encoded, volume: number): string {
  if (encoded.row !== undefined && encoded.volume === volume) return encoded.row;
  encoded.volume = volume;
  encoded.row = encoded.before + volumeText(volume) + encoded.after;
  return encoded.row;
}

/** [Id, Close, Time, Volume, Open?, MarketStatus?] (protocol.md#compact-quotes). */
function compactRow(encoded: Encoded, volume: number, details: number): string {
  if (details === NO_DETAILS) {
    if (encoded.compactRow !== undefined && encoded.compactVolume === volume) {
      return encoded.compactRow;
    }
    encoded.compactVolume = volume;
    encoded.compactRow = `${encoded.compactBefore}${volumeText(volume)}"]`;
    return encoded.compactRow;
  }
  const open = details & OPEN ? encoded.compactOpen : 'null';
  const status = details & STATUS ? `,${encoded.marketOpen ? 1 : 0}` : '';
  return `${encoded.compactBefore}${volumeText(volume)}",${open}${status}]`;
}
