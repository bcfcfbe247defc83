import { expect, it } from 'vitest';
import {
  brokerBars,
  recordedCodes,
  recordedQuotes,
  recordedTicks,
} from '../../../helpers/recordedDay';
import { inTurn, largeCount } from '../../../helpers/samples';
import { onEachDatabase } from '../../support/database';
import { ended, expectBarsOf, idOf, open, type Quote, served, until } from './recording';

onEachDatabase((database) => {
  inTurn(it)("replays a recorded day into exactly the broker's bars, killed on the way", () =>
    largeCount(`bars of a recorded day equal to the broker's, ${database.name}`, 2822, async () => {
      const quotes: Quote[] = recordedQuotes();
      for (const after of [7, 12_345, 40_000]) {
        const killed = await open(database.db, { file: recordedTicks });
        let dead = false;
        killed.market.listen({
          blocksSource: true,
          ticks: () => {
            dead = killed.listener.ticked.length >= after;
            return dead ? new Promise(() => {}) : undefined;
          },
          status: () => {},
          barClosed: () => {},
        });
        await killed.market.start();
        await until(() => dead || killed.listener.statusChanges.length > 0);
      }
      const replay = await open(database.db, { file: recordedTicks });
      await replay.market.start();
      await ended(replay);

      let equal = 0;
      for (const code of recordedCodes) {
        const bars = await served(replay, idOf(replay, code), '1min');
        expect(bars.map(({ volume: _, ...bar }) => bar)).toEqual(brokerBars(code));
        equal += bars.length;
      }
      expect(equal).toBe(2822);
      await expectBarsOf(replay, quotes);
      await replay.market.stop();
      return `${equal} of 2822 minutes, and every larger period their fold`;
    }),
  );
});
