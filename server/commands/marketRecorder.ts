import { compare } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { OpenOrders, SeenPrices } from '#domain/trading/openOrders';
import type { Market } from '../market/market';
import type { RecordedTerms, SeenMarket, SeenQuote } from './details';

/**
 * What matching has learnt of the market since the last command. The latest prices suffice: what happened between is either recorded
 * itself or has only moved stops, which are recorded too.
 */
export class MarketRecorder {
  private readonly market: Pick<Market, 'quote' | 'instruments'>;
  private readonly openOrders: OpenOrders;
  private readonly instruments: ReadonlyMap<number, Instrument>;
  /** Instruments whose terms are recorded. */
  private readonly known = new Set<number>();
  private reloaded = false;

  constructor(
    market: Pick<Market, 'quote' | 'instruments'>,
    instruments: ReadonlyMap<number, Instrument>,
    openOrders: OpenOrders,
  ) {
    this.market = market;
    this.instruments = instruments;
    this.openOrders = openOrders;
  }

  /** The orders were read from the database: what was recorded before may have been rolled back. */
  forget(): void {
    this.reloaded = true;
    this.known.clear();
    this.openOrders.forgetRecorded();
  }

  /** To be called before the command changes the orders. `own`: the instrument that it is about, 0 for none. */
  take(own: number, now: UnixMs): { seen: SeenMarket; terms: RecordedTerms[] } {
    const { openOrders } = this;
    const { unrecorded, unrecordedStops } = openOrders;
    if (own > 0) unrecorded.add(own);
    const quotes: SeenQuote[] = [];
    const terms: RecordedTerms[] = [];
    for (const id of unrecorded) {
      const instrument = this.instruments.get(id);
      if (!instrument) continue;
      if (!this.known.has(id)) {
        this.known.add(id);
        const { logo: _, hours: __, ...needed } = instrument;
        terms.push(needed);
      }
      const quote = this.quoteOf(id);
      if (quote) quotes.push(quote);
    }
    const stops = openOrders
      .positionsOf(unrecordedStops)
      .map((order) => [order.userId, order.id, order.stopLoss] as const);
    unrecorded.clear();
    unrecordedStops.clear();
    const seen = { now, ...(this.reloaded && { reloaded: true as const }), quotes, stops };
    this.reloaded = false;
    return { seen, terms };
  }

  private quoteOf(id: number): SeenQuote | undefined {
    const quote = this.market.quote(id);
    if (!quote) return undefined;
    const { price, time, marketOpen, bid, ask } = quote;
    const judged = this.openOrders.judgedBy(id);
    const seen: SeenQuote['seen'] =
      judged &&
      (isSame(judged, this.openOrders.sidesOf(quote)) || [judged.buy, judged.sell, judged.latest]);
    return {
      ...{ id, price, time, open: marketOpen },
      ...(bid !== undefined && { bid }),
      ...(ask !== undefined && { ask }),
      ...(seen && { seen }),
    };
  }
}

function isSame(a: SeenPrices, b: SeenPrices): boolean {
  return (
    compare(a.latest, b.latest) === 0 &&
    compare(a.buy, b.buy) === 0 &&
    compare(a.sell, b.sell) === 0
  );
}

/** The prices that orders were judged by, of recorded quotes. */
export function judgedPrices(
  openOrders: OpenOrders,
  quotes: readonly SeenQuote[],
): ReadonlyMap<number, SeenPrices> {
  return new Map(
    quotes.flatMap((quote) => {
      const { id, seen } = quote;
      if (!seen) return [];
      if (seen === true) return [[id, openOrders.sidesOf(quote)] as const];
      const [buy, sell, latest] = seen;
      return [[id, { buy, sell, latest }] as const];
    }),
  );
}
