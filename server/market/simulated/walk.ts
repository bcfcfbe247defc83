import { type DrawKey, KeyedDraws } from './random';

/** Steps between two anchor points of the walk. */
const BLOCK = 256;
const DEPTH = 8;
/**
 * Standard deviation of the anchor points around 0. It is small so that a price stays in its
 * region.
 */
const ENDS = 0.4 * Math.sqrt(BLOCK);
/**
 * How unequally a stretch divides its variance between its halves; this makes volatility cluster.
 */
const UNEVENNESS = 0.6;
/** Level of the walk's own draws among all draws with its key. */
const LEVEL = 32;

/** One step of a walk: the levels before and after, and the variance that it was drawn with. */
export interface Step {
  before: number;
  after: number;
  variance: number;
}

/**
 * A random walk with direct access to any step: a Brownian bridge filled by repeated halving, where
 * each halving divides the variance unequally (the multifractal model of asset returns of Calvet,
 * Fisher and Mandelbrot). The variance of a step is 1 on average.
 */
export class Walk {
  protected readonly key: DrawKey;
  private readonly draws = new KeyedDraws();

  constructor(key: DrawKey) {
    this.key = key;
  }

  step(index: number): Step {
    const block = Math.floor(index / BLOCK);
    let low = 0;
    let high = BLOCK;
    const at = index - block * BLOCK;
    let before = this.end(block);
    let after = this.end(block + 1);
    let variance = BLOCK;
    for (let level = 1; level <= DEPTH; level++) {
      const middle = (low + high) / 2;
      this.draws.begin(this.key, LEVEL + level, block * BLOCK + middle);
      const weight = Math.exp(UNEVENNESS * this.draws.normal());
      const share = weight / (1 + weight);
      const value =
        before +
        (after - before) * share +
        Math.sqrt(variance * share * (1 - share)) * this.draws.normal();
      if (at < middle) {
        high = middle;
        after = value;
        variance *= share;
      } else {
        low = middle;
        before = value;
        variance *= 1 - share;
      }
    }
    return { before, after, variance };
  }

  /** A standard normal draw apart from the walk, for a purpose. */
  normal(purpose: number, index: number): number {
    this.draws.begin(this.key, purpose, index);
    return this.draws.normal();
  }

  private end(block: number): number {
    this.draws.begin(this.key, LEVEL, block);
    return ENDS * this.draws.normal();
  }
}

/** The first part of a step up to `share`, or the rest. */
export function partOf(step: Step, share: number, normal: number, part: 'first' | 'rest'): Step {
  const cut =
    step.before +
    (step.after - step.before) * share +
    Math.sqrt(step.variance * share * (1 - share)) * normal;
  return part === 'first'
    ? { before: step.before, after: cut, variance: step.variance * share }
    : { before: cut, after: step.after, variance: step.variance * (1 - share) };
}
