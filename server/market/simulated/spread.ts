import type { InstrumentTerms } from '../catalogue/instrumentTerms';

/** Bid and ask around a price, all in points. The distance is the same at every price: the highest bid of a time is that of its highest price. */
export class Spread {
  private readonly below: number;
  private readonly above: number;

  constructor({ base, precision, spread }: Pick<InstrumentTerms, 'base' | 'precision' | 'spread'>) {
    const points = Math.max(1, Math.round(base * spread * 10 ** precision));
    this.below = Math.floor(points / 2);
    this.above = points - this.below;
  }

  bid(price: number): number {
    return Math.max(1, price - this.below);
  }

  ask(price: number): number {
    return price + this.above;
  }
}
