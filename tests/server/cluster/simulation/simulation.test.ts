import { beforeAll, describe, expect, it } from 'vitest';
import { rolesOf } from '../../../../scripts/lib/formerParts.mjs';
import {
  addUp,
  largeCountInPieces,
  type Piece,
  seed,
  seeds,
  tally,
} from '../../../helpers/samples';
import { unless } from '../../../helpers/unless';
import { FORMER, SAME_MESSAGES } from '../../../upgrade/former';
import { emptyDatabase } from '../../support/database';
import { emptyTables } from '../../support/tables';
import { WatchedDatabase } from './books';
import { type ClusterParts, formerRoles } from './clusterParts';
import { HAPPENINGS } from './faults';
import { Truth } from './feedMarket';
import { Simulation } from './simulation';

const TRADES = [
  ...['orders', 'triggers of orders', 'triggers of alerts', 'call repeated', 'orders amended'],
  'triggers of alerts on conditions',
  ...['orders expired', 'orders charged for a night', 'engine killed at its database'],
  'commands played again',
];
const UPGRADES = ['process of another release', 'feed replaced', 'engine replaced', 'push', 'fill'];
/** Of upgrades that are drawn. */
const DRAWN = [
  ...['upgrade, gateways first', 'upgrade, feeds first', 'upgrade whole', 'upgrade stopped'],
  ...['upgrade set back', 'upgrade begun again', 'market with both sides', 'message not read'],
];
const formers = await Promise.all(
  [SAME_MESSAGES, FORMER].map(async (name) => {
    const path = await rolesOf(name);
    return path === undefined ? undefined : formerRoles(path, name === SAME_MESSAGES);
  }),
);

/** Lines of the log that a failure shows. */
const LAST_LINES = 60;

interface Results {
  happened: Record<string, number>;
  converged: number[];
}

describe('feed, engines, gateways and the bus between them, simulated', () => {
  let truth: Truth;
  beforeAll(async () => {
    truth = await Truth.record();
  });

  async function simulate(
    { from, count }: Piece,
    { database, formers = [] }: { database?: WatchedDatabase; formers?: ClusterParts[] } = {},
  ): Promise<Results> {
    const happened: Record<string, number>[] = [];
    const converged: number[] = [];
    for (let run = seed + from; run < seed + from + count; run++) {
      if (database) await emptyTables(database.db);
      const simulation = new Simulation(run, truth, {
        database,
        former: formers[run % formers.length],
      });
      try {
        const outcome = await simulation.run();
        happened.push(outcome.happened);
        converged.push(outcome.convergedAfter);
      } catch (error) {
        console.error(simulation.log.slice(-LAST_LINES).join('\n'));
        console.error(`SEED=${run}: ${JSON.stringify(simulation.episodes)}`);
        throw error;
      }
    }
    return { happened: addUp(happened), converged };
  }

  function summarize(results: readonly Results[], expected = HAPPENINGS): string {
    const happened = addUp(results.map((each) => each.happened));
    const converged = results.flatMap((each) => each.converged).sort((a, b) => a - b);
    for (const what of expected) expect(happened[what], what).toBeGreaterThan(0);
    const p95 = converged[Math.ceil(converged.length * 0.95) - 1];
    return [
      'no false price, no tick lost without notice, no missed message kept from a phone',
      `all as the feed has it within ${p95} ms (p95), at most ${converged.at(-1)} ms`,
      tally(happened),
    ].join('; ');
  }

  const runs = seeds(20, 10_000);
  it(
    `${runs} of them end as the feed has it`,
    () =>
      largeCountInPieces(
        'simulations of a cluster',
        runs,
        250,
        (piece) => simulate(piece),
        (results) => summarize(results),
      ),
    21_600_000,
  );

  const traded = seeds(3, 1_000, 10);
  it(`${traded} of them with an engine that trades trigger each order once`, async () => {
    const opened = await emptyDatabase();
    const database = new WatchedDatabase(opened);
    await largeCountInPieces(
      'simulations of a cluster that trades',
      traded,
      50,
      (piece) => simulate(piece, { database }),
      (results) => summarize(results, TRADES),
    );
    await opened.close();
  }, 21_600_000);

  const missing = formers.every(Boolean)
    ? undefined
    : 'this clone lacks the commit of the former release';
  const upgraded = seeds(16, 2_000, 5);
  unless(it, missing)(
    `${upgraded} of them end as the feed has it though their processes are upgraded one after the other`,
    () =>
      largeCountInPieces(
        'simulations of a cluster that is upgraded',
        upgraded,
        100,
        (piece) => simulate(piece, { formers: formers as ClusterParts[] }),
        (results) => summarize(results, upgraded < 100 ? UPGRADES : [...UPGRADES, ...DRAWN]),
      ),
    21_600_000,
  );

  it('a seed repeats everything that happens', async () => {
    const [first, second] = [
      await new Simulation(seed, truth).run(),
      await new Simulation(seed, truth).run(),
    ];
    expect(first.log.length).toBeGreaterThan(100);
    expect(second.log).toEqual(first.log);
  });
});
