import { describe, expect, it } from 'vitest';
import { largeCount, samples, seed, tally } from '../../samples';
import { FAULTS, type Fault } from './faults';
import { Simulation } from './simulation';

/** The value that `share` of `values` do not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

describe('worker, server, clock and socket, simulated', () => {
  const runs = samples(60, 10_000);
  it(
    `${runs} of them end in the state without faults`,
    {
      timeout: 3_600_000,
    },
    () =>
      largeCount('simulations of worker, server, clock and socket', runs, async (progress) => {
        const happened = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]));
        const converged: number[] = [];
        const replaced: number[] = [];
        let silence = 0;
        let [keys, orders] = [0, 0];
        const outcomes = { done: 0, 'not done': 0, unknown: 0 };
        for (let run = seed; run < seed + runs; run++) {
          const simulation = new Simulation(run);
          const replay = `SEED=${run}: ${JSON.stringify(simulation.episodes)}`;
          try {
            const outcome = await simulation.run();
            const calm = await new Simulation(run, outcome).run();
            expect(outcome.state).toEqual(calm.state);
            expect(outcome.booked).toBe(outcome.accepted);
            expect(calm.booked).toBe(outcome.booked);
            keys += outcome.submitted;
            orders += outcome.booked;
            for (const told of outcome.actions.values()) outcomes[told] += 1;
            converged.push(outcome.convergedAfter);
            replaced.push(...simulation.network.replacedAfter);
            silence = Math.max(silence, outcome.silence);
          } catch (error) {
            console.error(replay);
            throw error;
          }
          for (const [fault, times] of simulation.network.happened)
            happened.set(fault, (happened.get(fault) ?? 0) + times);
          if (!progress(run - seed + 1)) break;
        }
        for (const [fault, times] of happened) expect(times, fault).toBeGreaterThan(0);
        // In spite of the faults most of what is confirmed is done.
        for (const times of Object.values(outcomes)) expect(times).toBeGreaterThan(0);
        expect(outcomes.done).toBeGreaterThan(outcomes['not done'] + outcomes.unknown);
        expect(Math.max(...replaced)).toBeLessThanOrEqual(20_000);
        expect(quantile(converged, 0.95)).toBeLessThanOrEqual(1500);
        return [
          `${orders} orders of ${keys} keys, each booked at most once and in its time`,
          `the page was told ${tally(outcomes)}`,
          `shown live after a silence of at most ${silence} ms`,
          `${replaced.length} dead links replaced after at most ${Math.round(Math.max(...replaced))} ms`,
          `converged in ${quantile(converged, 0.95)} ms (p95)`,
          `faults: ${tally(happened)}`,
        ].join('; ');
      }),
  );
});
