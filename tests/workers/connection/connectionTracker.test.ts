import { expect, it } from 'vitest';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { createConnectionTracker } from '../../../workers/connection/connectionTracker';
import { FakeClock } from '../support/fakeClock';

it('the market’s clock is never behind the newest tick, and an older one does not set it back', () => {
  const clock = new FakeClock();
  const tracker = createConnectionTracker({ clock, changed() {}, provenChanged() {} });
  const at = (ms: number) => timeAfter(clock.now(), toDurationMs(ms));
  const offset = () => tracker.current.marketOffset;
  // Nothing is known before a pong: a tick may be of a closed market.
  tracker.tickTime(at(9_000));
  expect(offset()).toBeUndefined();
  tracker.marketTimeReceived(at(5_000));
  expect(offset()).toBe(5_000);
  tracker.tickTime(at(8_000));
  expect(offset()).toBe(8_000);
  tracker.tickTime(at(2_000));
  expect(offset()).toBe(8_000);
});
