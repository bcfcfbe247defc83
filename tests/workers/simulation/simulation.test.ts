import { describe, expect, it } from 'vitest';
import {
  addUp,
  largeCountInPieces,
  type Piece,
  samples,
  seed,
  seeds,
  tally,
} from '../../helpers/samples';
import { FAULTS, PAGE_FAULTS } from './faults';
import { type ActionOutcome, closeKey, type Outcome, Simulation } from './simulation';

/** The value that `share` of `values` do not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** What came out of some simulations. */
interface Results {
  orders: number;
  keys: number;
  /** The longest silence after which the connection was still shown as live, ms. */
  silence: number;
  converged: number[];
  /** The same where websockets are blocked. */
  polled: number[];
  replaced: number[];
  outcomes: Record<ActionOutcome, number>;
  /** Of the opposite orders of reversals whose close was done. */
  opposites: Record<ActionOutcome, number>;
  happened: Record<string, number>;
}

/** Runs a simulation with its faults, and one without them that ends alike. */
async function simulateOne(run: number): Promise<{ simulation: Simulation; outcome: Outcome }> {
  const simulation = new Simulation(run);
  try {
    const outcome = await simulation.run();
    const calm = await new Simulation(run, outcome).run();
    expect(outcome.state).toEqual(calm.state);
    expect(outcome.booked).toBe(outcome.accepted);
    expect(calm.booked).toBe(outcome.booked);
    return { simulation, outcome };
  } catch (error) {
    console.error(`SEED=${run}: ${JSON.stringify(simulation.episodes)}`);
    throw error;
  }
}

async function simulate({ from, count }: Piece): Promise<Results> {
  const converged: number[] = [];
  const polled: number[] = [];
  const replaced: number[] = [];
  const outcomes = { done: 0, 'not done': 0, unknown: 0, 'page gone': 0 };
  const opposites = { ...outcomes };
  const happened: Record<string, number>[] = [];
  let [orders, keys, silence] = [0, 0, 0];
  for (let run = seed + from; run < seed + from + count; run++) {
    const { simulation, outcome } = await simulateOne(run);
    keys += outcome.submitted;
    orders += outcome.booked;
    for (const [key, result] of outcome.actions) {
      outcomes[result] += 1;
      if (closeKey(key)) opposites[result] += 1;
    }
    (simulation.network.blocked ? polled : converged).push(outcome.convergedAfter);
    replaced.push(...simulation.network.replacedAfter);
    silence = Math.max(silence, outcome.silence);
    happened.push(Object.fromEntries(simulation.network.happened));
  }
  return {
    ...{ orders, keys, silence, converged, polled, replaced, outcomes, opposites },
    happened: addUp(happened),
  };
}

function summarize(results: readonly Results[]): string {
  const { orders = 0, keys = 0 } = addUp(results.map(({ orders, keys }) => ({ orders, keys })));
  const outcomes = addUp(results.map(({ outcomes }) => outcomes));
  const opposites = addUp(results.map(({ opposites }) => opposites));
  const happened = addUp(results.map(({ happened }) => happened));
  const converged = results.flatMap(({ converged }) => converged);
  const polled = results.flatMap(({ polled }) => polled);
  const replaced = results.flatMap(({ replaced }) => replaced);
  const silence = Math.max(...results.map(({ silence }) => silence));
  const slowest = replaced.reduce((most, ms) => Math.max(most, ms), 0);
  // In a sample each of the page's.
  for (const fault of process.env.SOAK ? FAULTS : PAGE_FAULTS)
    expect(happened[fault], fault).toBeGreaterThan(0);
  // In spite of the faults most of what is confirmed is done.
  const { done = 0, 'not done': not = 0, unknown = 0 } = outcomes;
  for (const times of [done, not, unknown]) expect(times).toBeGreaterThan(0);
  expect(done).toBeGreaterThan(not + unknown);
  // Few reversals end half done.
  expect(opposites['done']).toBeGreaterThan(0);
  expect(opposites['not done']).toBeGreaterThanOrEqual(samples(0, 1));
  expect(slowest).toBeLessThanOrEqual(20_000);
  expect(quantile(converged, 0.95)).toBeLessThanOrEqual(1500);
  // A call that hangs ends after 15 s, and the next poll follows.
  expect(quantile([0, ...polled], 0.95)).toBeLessThanOrEqual(18_000);
  return [
    `${orders} orders of ${keys} keys, each booked at most once and in its time`,
    `the page was shown ${tally(outcomes)}, of opposite orders ${tally(opposites)}`,
    `shown live after a silence of at most ${silence} ms`,
    `${replaced.length} dead links replaced after at most ${Math.round(slowest)} ms`,
    `converged in ${quantile(converged, 0.95)} ms (p95), ${polled.length} without websockets in ${quantile(polled, 0.5)} ms (p50)`,
    `faults: ${tally(happened)}`,
  ].join('; ');
}

describe('worker, page, server, clock and socket, simulated', () => {
  it.each([
    [20260304, 'a list that came before the first connection passed for current'],
    [20260202, 'a user whose token could not be read stayed a visitor'],
    [20260204, 'an alert was lost that the page had confirmed'],
    [20261141, 'a page without a websocket, whose call was lost, did not know its user'],
    [20261185, 'a page without a websocket waited for a list that hung'],
    [20260378, 'a page without a websocket waited for a lost answer of its account'],
    [20263384, 'a silent storage did not have the order that was not placed'],
    [20263647, 'the clock of a server that answered nothing was given up'],
    [20264871, 'a user stayed a visitor whose call was lost after the reconnect'],
    [20265653, 'a chart kept the bars of an earlier visit although newer ones had come'],
    [20266215, 'balances that did not fit the orders waited as long as calls that had failed'],
    [20260631, 'an opposite order that was refused passed for one that may have been placed'],
    [20261512, 'without a websocket the history lacked an order that was opened and closed unseen'],
    [20262677, 'a request was forgotten whose time was no integer'],
  ])('seed %i, in which %s', async (run) => {
    await simulateOne(run);
  });

  const runs = seeds(40, 10_000);
  it(
    `${runs} of them end in the state without faults`,
    () =>
      largeCountInPieces(
        'simulations of worker, server, clock and socket',
        runs,
        250,
        simulate,
        summarize,
      ),
    21_600_000,
  );
});
