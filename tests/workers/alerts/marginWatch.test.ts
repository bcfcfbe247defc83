import { expect, it } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { createMarginWatch } from '../../../workers/alerts/marginWatch';
import { FakeClock } from '../support/fakeClock';

/** A watch of an account whose margin ratio `move` sets. */
function watched() {
  const clock = new FakeClock();
  const events: WorkerEvent[] = [];
  let ratio = 100;
  let moved = () => {};
  createMarginWatch(
    clock,
    (listener) => {
      moved = listener;
      return () => ({ balance: toUsd(0), marginInUse: toUsd(100), profit: toUsd(ratio - 100) });
    },
    (event) => events.push(event),
  );
  const move = (to: number) => {
    ratio = to;
    moved();
  };
  return { clock, events, move };
}

it('warns once at each limit, until the ratio has recovered', async () => {
  const { clock, events, move } = watched();
  const warnings: string[] = [];
  for (const ratio of [60, 50, 49, 52, 48, 29, 31, 28, 54, 49, 55, 49, 20]) {
    await clock.advance(toDurationMs(1000));
    move(ratio);
    const [event] = events.splice(0);
    if (event?.type === 'margin-warning') warnings.push(`${ratio} ${event.state}`);
  }
  expect(warnings).toEqual(['49 low', '29 critical', '49 low', '20 critical']);
});

it('judges the last move within a second at its end', async () => {
  const { clock, events, move } = watched();
  move(100);
  await clock.advance(toDurationMs(400));
  move(29);
  await clock.advance(toDurationMs(599));
  expect(events).toEqual([]);
  await clock.advance(toDurationMs(1));
  expect(events).toEqual([{ type: 'margin-warning', state: 'critical' }]);
  await clock.advance(toDurationMs(1000));
  expect(clock.pending).toBe(0);
});

it('looks at most once a second', async () => {
  const clock = new FakeClock();
  let looks = 0;
  let moved = () => {};
  createMarginWatch(
    clock,
    (listener) => {
      moved = listener;
      return () => {
        looks += 1;
        return undefined;
      };
    },
    () => {},
  );
  for (let i = 0; i < 20; i++) {
    moved();
    await clock.advance(toDurationMs(100));
  }
  // At 0, 1 and 2 s.
  expect(looks).toBe(3);
});
