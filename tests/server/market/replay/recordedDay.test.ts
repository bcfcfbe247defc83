import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { largeCount } from '../../../samples';
import { onEachDatabase } from '../../support/database';
import { ended, expectBarsOf, idOf, open, type Quote, served, until } from './recording';

const data = (name: string) =>
  fileURLToPath(new URL(`../../../../../shared/data/${name}`, import.meta.url));
const TICKS = data('oanda-2014-05-07-ticks.csv.gz');
const BARS = data('oanda-2014-05-07-1min.csv');
const present = existsSync(TICKS) && existsSync(BARS);

const rows = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

onEachDatabase((database) => {
  it.skipIf(!present)(
    "replays a real broker's day into exactly the broker's own bars, killed on the way",
    () =>
      largeCount(
        `bars of a recorded day equal to the broker's, ${database.name}`,
        2822,
        async () => {
          const quotes = rows(gunzipSync(readFileSync(TICKS)).toString()).map(
            ([time, code = '', bid = '']): Quote => ({ time: Number(time), code, bid }),
          );
          for (const after of [7, 12_345, 40_000]) {
            const killed = await open(database.db, { file: TICKS });
            let dead = false;
            killed.market.listen({
              holdsFeed: true,
              ticks: () => {
                dead = killed.witness.ticked.length >= after;
                return dead ? new Promise(() => {}) : undefined;
              },
              status: () => {},
              barClosed: () => {},
            });
            await killed.market.start();
            await until(() => dead || killed.witness.turned.length > 0);
          }
          const replay = await open(database.db, { file: TICKS });
          await replay.market.start();
          await ended(replay);

          const broker = rows(readFileSync(BARS, 'utf8'));
          expect(broker).toHaveLength(2822);
          let equal = 0;
          for (const code of new Set(broker.map(([name = '']) => name))) {
            const bars = await served(replay, idOf(replay, code), '1min');
            const theirs = broker
              .filter(([name]) => name === code)
              .map(([, ...figures]) => figures.map(Number));
            expect(
              bars.map(({ time, open, high, low, close }) => [time, open, high, low, close]),
            ).toEqual(theirs);
            equal += bars.length;
          }
          expect(equal).toBe(2822);
          await expectBarsOf(replay, quotes);
          await replay.market.stop();
          return `${equal} of 2822 minutes, and every larger period their fold`;
        },
      ),
  );
});
