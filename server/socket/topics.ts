import type { Instrument } from '#domain/market/instrument';
import type { Clock } from '../core/clock';
import type { MarketView } from '../market/market';
import { BarTopics } from './barTopics';
import type { QuoteEncoder } from './quoteEncoder';
import { QuoteTopic } from './quoteTopic';
import { QuoteVersions } from './quoteVersions';

/** The public topics of the market. */
export class Topics {
  readonly byCode: ReadonlyMap<string, Instrument>;
  readonly quotes: QuoteTopic;
  readonly bars: BarTopics;
  private readonly market: MarketView;
  private readonly congestion: () => Promise<void> | undefined;
  private stopListening = () => {};

  /**
   * `congestion` resolves when slow readers have caught up; it returns undefined where the market
   * does not wait for readers.
   */
  constructor(
    market: MarketView,
    encoder: QuoteEncoder,
    clock: Clock,
    congestion: () => Promise<void> | undefined,
  ) {
    this.byCode = new Map(market.instruments.map((instrument) => [instrument.code, instrument]));
    const every = market.instruments.map(({ id }) => id);
    this.quotes = new QuoteTopic(encoder, new QuoteVersions(every), clock);
    this.bars = new BarTopics(market, clock);
    this.market = market;
    this.congestion = congestion;
  }

  /** Starts publishing the market's events. */
  start(): void {
    this.stopListening = this.market.listen({
      ticks: (ticks) => {
        this.quotes.publish(ticks);
        this.bars.publish(ticks);
        return this.congestion();
      },
      status: (instrumentIds) => this.quotes.republish(instrumentIds),
      topOfBook: (instrumentIds) => this.quotes.republish(instrumentIds),
      barClosed: (instrumentId, bar) => this.bars.publishBar(instrumentId, bar),
    });
  }

  stop(): void {
    this.stopListening();
  }

  /** Ids of the known codes; undefined, which means all, where no codes are given. */
  idsOf(codes: readonly string[] | undefined): { ids: Set<number> | undefined; unknown: string[] } {
    if (!codes) return { ids: undefined, unknown: [] };
    const ids = new Set<number>();
    const unknown: string[] = [];
    for (const code of codes) {
      const instrument = this.byCode.get(code);
      if (instrument) ids.add(instrument.id);
      else unknown.push(code);
    }
    return { ids, unknown };
  }
}
