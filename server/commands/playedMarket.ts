import { toUnixMs, type UnixMs } from '#domain/core/time';
import { AROUND_THE_CLOCK } from '#domain/market/hours';
import type { Instrument } from '#domain/market/instrument';
import type { Market, MarketQuote } from '../market/market';
import type { RecordedTerms, SeenMarket } from './details';

/** A market that is as commands have seen it. */
export class PlayedMarket implements Market {
  readonly feed: string;
  readonly instruments: readonly Instrument[];
  readonly categories = [];
  readonly savePosition = undefined;
  private readonly quotes = new Map<number, MarketQuote>();
  private time = toUnixMs(0);

  constructor(feed: string, terms: readonly RecordedTerms[]) {
    this.feed = feed;
    this.instruments = terms.map((each) => ({ ...each, logo: '', hours: AROUND_THE_CLOCK }));
  }

  /** What the next command has seen. */
  see({ now, quotes }: SeenMarket): void {
    this.time = now;
    for (const { id, price, time, open: marketOpen, bid, ask } of quotes) {
      const sides = { ...(bid !== undefined && { bid }), ...(ask !== undefined && { ask }) };
      this.quotes.set(id, { price, open: price, time, marketOpen, nextOpen: undefined, ...sides });
    }
  }

  now(): UnixMs {
    return this.time;
  }

  quote(instrumentId: number): MarketQuote | undefined {
    return this.quotes.get(instrumentId);
  }

  currentBar(): undefined {}

  async bars(): Promise<[]> {
    return [];
  }

  listen(): () => void {
    return () => {};
  }

  onFirstSubscriber(): void {}

  /** Where stops have followed prices is recorded. */
  priceRange(): undefined {}

  async exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}
}
