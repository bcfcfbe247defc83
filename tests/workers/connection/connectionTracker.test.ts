import { expect, it } from 'vitest';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { createConnectionTracker, STALE_MS } from '../../../workers/connection/connectionTracker';
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

it('is connecting, not offline, before the page has said which', () => {
  const clock = new FakeClock();
  const tracker = createConnectionTracker({ clock, changed() {}, provenChanged() {} });
  tracker.socketChanged();
  expect(tracker.current.state).toBe('connecting');
});

it('looks for silence with one timer, however often it is proven', () => {
  const clock = new FakeClock();
  const tracker = createConnectionTracker({ clock, changed() {}, provenChanged() {} });
  for (let probe = 0; probe < 5; probe++) {
    tracker.messageReceived();
    tracker.probeStarted();
    tracker.probeAnswered();
  }
  expect(clock.pending).toBe(1);
});

it.each([
  [STALE_MS - 1, true],
  [STALE_MS, false],
])('prices that came %i ms after they were asked for prove it: %s', async (ms, proven) => {
  const clock = new FakeClock();
  const told: boolean[] = [];
  const provenChanged = () => told.push(tracker.proven);
  const tracker = createConnectionTracker({ clock, changed() {}, provenChanged });
  const sentAt = clock.now();
  await clock.advance(ms);
  tracker.quotesFetched(sentAt);
  expect(told).toEqual(proven ? [true] : []);
});
