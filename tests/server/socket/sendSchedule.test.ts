import { expect, it } from 'vitest';
import { type Scheduled, SendSchedule } from '../../../server/socket/sendSchedule';
import { FakeClock } from '../support/fakeClock';

class Item implements Scheduled {
  slot: number | undefined;
  readonly sent: number[] = [];
  private readonly clock: FakeClock;

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  due(): void {
    this.sent.push(this.clock.now());
  }
}

it('calls each item once, never early and at most 10 ms late', () => {
  const clock = new FakeClock();
  const begun = clock.now();
  const schedule = new SendSchedule(clock);
  const delays = [250, 3, 17, 1_000, 251, 86_400_000];
  const items = delays.map((delay) => {
    const item = new Item(clock);
    schedule.add(item, delay);
    return item;
  });
  clock.pass(86_400_010);
  for (const [index, delay] of delays.entries()) {
    const [sent = 0, ...more] = items[index]?.sent ?? [];
    expect(more).toEqual([]);
    expect(sent - begun).toBeGreaterThanOrEqual(delay);
    expect(sent - begun).toBeLessThan(delay + 10);
  }
  expect(clock.awaited).toBe(false);
});

it('forgets an item that is removed, and moves one that is added again', () => {
  const clock = new FakeClock();
  const schedule = new SendSchedule(clock);
  const [removed, moved] = [new Item(clock), new Item(clock)];
  schedule.add(removed, 100);
  schedule.add(moved, 100);
  schedule.remove(removed);
  schedule.add(moved, 500);
  clock.pass(490);
  expect(moved.sent).toEqual([]);
  clock.pass(20);
  expect(moved.sent).toHaveLength(1);
  expect(removed.sent).toEqual([]);
});

it('calls an item that an earlier one has added', () => {
  const clock = new FakeClock();
  const schedule = new SendSchedule(clock);
  const second = new Item(clock);
  const first: Scheduled = { slot: undefined, due: () => schedule.add(second, 50) };
  schedule.add(first, 50);
  clock.pass(110);
  expect(second.sent).toHaveLength(1);
});
