import { timeAfter, toSeconds, type UnixSeconds } from '#domain/core/time';
import { type BarNode, LEVELS, MINUTE } from './barNode';
import type { SimulatedInstrument } from './simulatedInstrument';
import { activity } from './tickRates';
import { CLOSE, CORNERS, HIGH, LOW, OPEN, type Parts, trace } from './trace';

/** How much activity changes variance, volume and ticks of the children. */
const SCATTER = { variance: 0.4, volume: 0.4, ticks: 0.03 };
/** Ticks cluster within single minutes; over longer times they have the configured rate. */
const MINUTE_SCATTER = 0.25;
/** Share of a child's activity that comes from its category; the squares of both add up to 1. */
const SHARED = 0.6;
const OWN = 0.8;

/**
 * Splits a bar into the bars of the next level, in order, without those that have no tick. Folding
 * them gives exactly the bar: prices, ticks and volume.
 */
export function split(subject: SimulatedInstrument, node: BarNode): BarNode[] {
  const { terms, factors, weights, rates, draws } = subject;
  const level = node.level + 1;
  const seconds = LEVELS[level] as number;
  const length = LEVELS[node.level] as number;
  const count = length / seconds;
  const index = node.time / length;
  const market = factors[0].noise(node.level, index, count);
  const peers = factors[1].noise(node.level, index, count);
  draws.begin(subject.key, node.level, index);

  const scatter = level === MINUTE ? MINUTE_SCATTER : SCATTER.ticks;
  const moves: number[] = [];
  const liveliness: number[] = [];
  const expected: number[] = [];
  for (let i = 0; i < count; i++) {
    const shared =
      weights[0] * (market.moves[i] as number) + weights[1] * (peers.moves[i] as number);
    moves.push(shared + weights[2] * draws.normal());
    const own = draws.normal();
    liveliness.push(SHARED * (peers.liveliness[i] as number) + OWN * own);
    const ticks = rates.ticks(terms.session, timeAfter(node.time, toSeconds(i * seconds)), seconds);
    expected.push(ticks * Math.exp(scatter * own));
  }

  const parts: Parts = { ticks: [], variances: [], moves: [] };
  const times: UnixSeconds[] = [];
  const shares: number[] = [];
  let total = 0;
  const ticks = apportion(node.ticks, expected, draws.next());
  for (let i = 0; i < count; i++) {
    const given = ticks[i] as number;
    if (given === 0) continue;
    const time = timeAfter(node.time, toSeconds(i * seconds));
    const lively = liveliness[i] as number;
    const variance = activity(terms.session, time, seconds) * Math.exp(SCATTER.variance * lively);
    total += variance;
    times.push(time);
    shares.push(given * Math.exp(SCATTER.volume * lively));
    parts.ticks.push(given);
    parts.variances.push(variance);
    parts.moves.push(moves[i] as number);
  }
  for (let i = 0; i < times.length; i++) {
    parts.variances[i] = ((parts.variances[i] as number) * node.variance) / total;
  }

  const surplus = apportion(node.volume - node.ticks, shares, 0);
  const corners = trace(node, parts, draws);
  const children: BarNode[] = [];
  for (let i = 0; i < times.length; i++) {
    const at = i * CORNERS;
    const high = corners[at + HIGH] as number;
    const low = corners[at + LOW] as number;
    const given = parts.ticks[i] as number;
    children.push({
      level,
      time: times[i] as UnixSeconds,
      open: corners[at + OPEN] as number,
      high,
      low,
      close: corners[at + CLOSE] as number,
      ticks: given,
      volume: given + (surplus[i] as number),
      // Half planned variance, half Parkinson's estimate of the realised one, so that a bar is as
      // volatile inside as it looks.
      variance: ((parts.variances[i] as number) + (high - low) ** 2 / (4 * Math.LN2)) / 2,
    });
  }
  return children;
}

/**
 * The ticks of a minute, in order. All instruments hold theirs of this minute and the next, so they
 * are numbers in one array and not objects.
 */
export class MinuteTicks {
  readonly count: number;
  private readonly numbers: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.numbers = new Float64Array(3 * count);
  }

  set(index: number, offset: number, price: number, volume: number): void {
    this.numbers[3 * index] = offset;
    this.numbers[3 * index + 1] = price;
    this.numbers[3 * index + 2] = volume;
  }

  /** Milliseconds into the minute. */
  offset(index: number): number {
    return this.numbers[3 * index] as number;
  }

  /** In points. */
  price(index: number): number {
    return this.numbers[3 * index + 1] as number;
  }

  volume(index: number): number {
    return this.numbers[3 * index + 2] as number;
  }
}

/** The ticks of a minute, at irregular times in order. Folding them gives exactly the minute. */
export function ticksOf(subject: SimulatedInstrument, minute: BarNode): MinuteTicks {
  const { draws } = subject;
  const count = minute.ticks;
  draws.begin(subject.key, MINUTE, minute.time / 60);
  const parts: Parts = { ticks: [], variances: [], moves: [] };
  const times: number[] = [];
  const shares: number[] = [];
  let time = 0;
  for (let i = 0; i < count; i++) {
    parts.ticks.push(1);
    parts.variances.push(minute.variance / count);
    parts.moves.push(draws.normal());
    // Waiting times of a Poisson process.
    time -= Math.log(draws.next());
    times.push(time);
    shares.push(-Math.log(draws.next()));
  }
  time -= Math.log(draws.next());

  const surplus = apportion(minute.volume - count, shares, 0);
  const corners = trace(minute, parts, draws);
  const ticks = new MinuteTicks(count);
  for (let i = 0; i < count; i++) {
    const offset = Math.floor((60_000 * (times[i] as number)) / time);
    ticks.set(i, offset, corners[i * CORNERS + OPEN] as number, 1 + (surplus[i] as number));
  }
  return ticks;
}

/**
 * Integers in proportion to `shares` that add up to `total`. `offset`, from 0 to 1, determines the
 * rounding.
 */
function apportion(total: number, shares: readonly number[], offset: number): number[] {
  let sum = 0;
  // The last one with a share gets the rounding difference.
  let last = 0;
  for (let i = 0; i < shares.length; i++) {
    sum += shares[i] as number;
    if ((shares[i] as number) > 0) last = i;
  }
  const parts: number[] = [];
  let passed = 0;
  let given = 0;
  for (let i = 0; i < shares.length; i++) {
    passed += shares[i] as number;
    const until = i >= last ? total : Math.floor(total * (passed / sum) + offset);
    parts.push(until - given);
    given = until;
  }
  return parts;
}
