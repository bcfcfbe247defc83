import { Draws } from './random';

/** Steps between the points from which the walk is filled in. */
const BLOCK = 256;
const DEPTH = 8;
/** How far a block's ends wander from 0: kept down, so that a price stays in its region for good. */
const ENDS = 0.4 * Math.sqrt(BLOCK);
/** How unequally a stretch shares its variance between its halves: what makes volatility cluster. */
const UNEVENNESS = 0.6;
/** A walk's own draws, among all those made with its key. */
const LEVEL = 32;

/** One step of a walk: from its level before to its level after, with the variance it was drawn from. */
export interface Step {
  before: number;
  after: number;
  variance: number;
}

/**
 * A random walk of which any step can be had at once: a Brownian bridge filled
 * in by halves, where variance is shared unequally at each halving (the
 * multifractal model of asset returns of Calvet, Fisher and Mandelbrot). Steps have variance 1 on average.
 */
export class Walk {
  protected readonly key: number;
  private readonly draws = new Draws();

  constructor(key: number) {
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

  /** A standard normal draw beside the walk, for one of several purposes. */
  normal(purpose: number, index: number): number {
    this.draws.begin(this.key, purpose, index);
    return this.draws.normal();
  }

  private end(block: number): number {
    this.draws.begin(this.key, LEVEL, block);
    return ENDS * this.draws.normal();
  }
}

/** The part of a step up to `share` of it, or what is left of it after that. */
export function partOf(step: Step, share: number, normal: number, part: 'first' | 'rest'): Step {
  const cut =
    step.before +
    (step.after - step.before) * share +
    Math.sqrt(step.variance * share * (1 - share)) * normal;
  return part === 'first'
    ? { before: step.before, after: cut, variance: step.variance * share }
    : { before: cut, after: step.after, variance: step.variance * (1 - share) };
}
