import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Market, MarketQuote, Tick } from '../market/market';
import { tickRow, volumeText } from '../market/quotes/rows';

/**
 * A row of DAY_MARKET as text before and after its volume, the only value that differs between
 * readers.
 */
interface RowTemplate {
  price: number;
  open: number;
  time: number;
  marketOpen: boolean;
  before: string;
  after: string;
}

const PLACE = '"Volume":"0"';

/** Encodes rows of DAY_MARKET once for all readers. */
export class QuoteEncoder {
  private readonly market: Market;
  private readonly instruments: ReadonlyMap<number, Instrument>;
  private readonly latest = new Map<number, RowTemplate>();

  constructor(market: Market) {
    this.market = market;
    this.instruments = new Map(market.instruments.map((instrument) => [instrument.id, instrument]));
  }

  isTraded(instrumentId: number): boolean {
    return this.market.quote(instrumentId) !== undefined;
  }

  /** The row of a tick; undefined for an unknown instrument. */
  tick({ instrumentId, price, volume, time }: Tick): string | undefined {
    const quote = this.market.quote(instrumentId);
    return quote && this.row(instrumentId, price, time, quote, volume);
  }

  /** The row of the latest quote; undefined before the first tick. */
  latestRow(instrumentId: number, volume: number): string | undefined {
    const quote = this.market.quote(instrumentId);
    return quote && this.row(instrumentId, quote.price, quote.time, quote, volume);
  }

  /** The message of the latest quotes; undefined where there are none. */
  message(volumes: ReadonlyMap<number, number>): Buffer | undefined {
    const rows: string[] = [];
    for (const [instrumentId, volume] of volumes) {
      const row = this.latestRow(instrumentId, volume);
      if (row) rows.push(row);
    }
    return rows.length > 0 ? dayMarketMessage(rows) : undefined;
  }

  private row(
    instrumentId: number,
    price: number,
    time: UnixMs,
    { open, marketOpen }: Pick<MarketQuote, 'open' | 'marketOpen'>,
    volume: number,
  ): string | undefined {
    const instrument = this.instruments.get(instrumentId);
    if (!instrument) return undefined;
    let halves = this.latest.get(instrumentId);
    if (
      halves?.price !== price ||
      halves.time !== time ||
      halves.open !== open ||
      halves.marketOpen !== marketOpen
    ) {
      const row = tickRow(instrument, { price, volume: 0, time }, { open, marketOpen });
      const text = JSON.stringify(row);
      const place = text.indexOf(PLACE);
      const before = `${text.slice(0, place)}"Volume":"`;
      halves = {
        price,
        open,
        time,
        marketOpen,
        before,
        after: text.slice(place + PLACE.length - 1),
      };
      this.latest.set(instrumentId, halves);
    }
    return halves.before + volumeText(volume) + halves.after;
  }
}

export function dayMarketMessage(rows: readonly string[]): Buffer {
  return Buffer.from(`{"type":"DAY_MARKET","data":[${rows.join(',')}]}`);
}
