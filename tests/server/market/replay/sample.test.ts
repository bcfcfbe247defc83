import { expect, it } from 'vitest';
import { replaySource } from '../../../../server/market/replay/sample';
import { recordedTicks } from '../../../helpers/recordedDay';
import { inTurn } from '../../../helpers/samples';
import { onEachDatabase } from '../../support/database';
import { idOf, MIDNIGHT, open, served } from './recording';

const HOUR_MS = 3_600_000;

onEachDatabase((database) => {
  inTurn(it)(
    'the sample is the recorded day, from noon on, with the bars of the morning',
    async () => {
      const source = replaySource('sample');
      expect(source.file).toBe(recordedTicks);
      const replay = await open(database.db, { ...source, speed: 1 });
      const { market, clock, listener } = replay;
      await market.start();
      const began = clock.now();
      await clock.until(() => clock.now() > began);
      expect(market.now()).toBeGreaterThanOrEqual(MIDNIGHT + 12 * HOUR_MS);
      expect(market.now()).toBeLessThan(MIDNIGHT + 12 * HOUR_MS + 60_000);
      expect((await served(replay, idOf(replay, 'EURUSD'), '1min')).length).toBeGreaterThan(600);
      const count = listener.ticked.length;
      await clock.until(() => clock.now() >= began + 60_000);
      expect(listener.ticked.length).toBeGreaterThan(count + 10);
      await market.stop();
    },
  );
});

it('any other name is a file, played once', () => {
  expect(replaySource('./sample')).toEqual({ file: './sample' });
});
