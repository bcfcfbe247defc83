import { expect, it } from 'vitest';
import { inTurn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { Week } from './week';

const HOURS = samples(1, 168);
/** A Monday; the sample begins before the markets close for the weekend. */
const BEGIN = samples(Date.UTC(2026, 0, 9, 21, 30), Date.UTC(2026, 0, 5));
/** Hours after which what is loaded and cached is there. */
const WARM = 24;
/** Megabytes of heap that a client and its server may add after that. */
const MOST_GROWTH = 12;

inTurn(it)(
  'a client that sleeps, changes networks and trades shows the state of the server in the end',
  {
    timeout: 14_400_000,
  },
  () =>
    largeCount('hours of a week of one client', HOURS, async (progress) => {
      const week = await Week.open(await emptyDatabase(), BEGIN, seed);
      try {
        let warm = Number.NaN;
        for (let hour = 1; hour <= HOURS; hour++) {
          await week.hour();
          if (hour === HOURS || hour % 24 === 23) await week.compare();
          if (hour === WARM) warm = week.heap();
          if (!progress(hour)) break;
        }
        const heap = week.heap();
        if (!Number.isNaN(warm)) expect(heap - warm).toBeLessThan(MOST_GROWTH);
        expect(week.warned).toEqual([]);
        expect(week.orders).toBeGreaterThan(0);
        return [
          `${week.orders} orders, shown as the server has them`,
          ...(Number.isNaN(warm)
            ? []
            : [`heap ${warm.toFixed(1)} MB after a day, ${heap.toFixed(1)} MB in the end`]),
          tally(week.happened),
        ].join('; ');
      } finally {
        await week.close();
      }
    }),
);
