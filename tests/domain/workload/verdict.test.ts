import { describe, expect, it } from 'vitest';
import { DEVICE_PLAN, DEVICE_TIMING, LADDER } from '#domain/workload/devicePlan';
import type { DeviceRun, DeviceSample } from '#domain/workload/deviceRun';
import { droppedFrames } from '#domain/workload/frames';
import { heldRate, ladderOf, slowedTo } from '#domain/workload/verdict';
import { nameOf } from '#domain/workload/workload';

function sample(age: number, interval: number, frameInterval = 60): DeviceSample {
  const intervals = Array.from({ length: 100 }, () => interval);
  return {
    ages: [age, age, age],
    frames: { seconds: 5, presented: 100, dropped: 0, intervals, collections: [] },
    watched: 5,
    inputDelays: [],
    feedLate: 0,
    rows: 20,
    clockError: 1,
    frameInterval,
  };
}

/** The plan as it was played by a device with these samples; those without one have failed. */
function played(sampleOf: (rate: number) => DeviceSample | undefined): DeviceRun[] {
  return DEVICE_PLAN.map(({ contender, workload }) => {
    const found = sampleOf(workload.rate);
    const how = found ? { sample: found } : { failure: 'gate' };
    return { section: 'device', contender, workload, round: 0, ...how };
  });
}

const verdictOf = (runs: readonly DeviceRun[]) => heldRate(ladderOf(runs));

describe('the plan of a device', () => {
  it('takes a minute, and has a name for each step', () => {
    const seconds = DEVICE_TIMING.warmUp + DEVICE_TIMING.window;
    expect(DEVICE_PLAN.length * seconds).toBeLessThan(50);
    const names = DEVICE_PLAN.map(({ contender, workload }) => contender + nameOf(workload));
    expect(new Set(names).size).toBe(DEVICE_PLAN.length);
  });

  it('climbs the ladder with the list at rest, and nothing else of it is a rung', () => {
    const rates = ladderOf(played(() => sample(20, 16))).map(({ rate }) => rate);
    expect(rates).toEqual([...LADDER]);
  });
});

describe('the verdict', () => {
  it('is the highest rate that is held as all lower ones are', () => {
    expect(verdictOf(played(() => sample(20, 16)))).toBe(3000);
    expect(verdictOf(played((rate) => sample(rate > 300 ? 51 : 50, 16)))).toBe(300);
    // What is held above a rate that is not was luck.
    expect(verdictOf(played((rate) => sample(rate === 300 ? 60 : 20, 16)))).toBe(100);
    expect(verdictOf(played(() => sample(60, 16)))).toBeUndefined();
    expect(verdictOf([])).toBeUndefined();
  });

  it('counts the frames as much as the ages', () => {
    expect(verdictOf(played((rate) => sample(20, rate > 1000 ? 51 : 16)))).toBe(1000);
  });

  it('holds no rate at which a row ended wrong, or nothing was seen', () => {
    expect(verdictOf(played((rate) => (rate === 1000 ? undefined : sample(20, 16))))).toBe(300);
    const blind = { ...sample(20, 16), ages: [] };
    expect(verdictOf(played((rate) => (rate === 300 ? blind : sample(20, 16))))).toBe(100);
  });

  it('takes the median of several rounds', () => {
    const rounds = [20, 90, 30].flatMap((age) => played(() => sample(age, 16)));
    expect(verdictOf(rounds)).toBe(3000);
    expect(ladderOf(rounds)[0]).toEqual({ rate: 100, lag: 30 });
  });

  it('knows a ladder on a share of a core', () => {
    const quarter = played(() => sample(20, 16)).map((run) => ({
      ...run,
      workload: { ...run.workload, core: 0.25 },
    }));
    expect(ladderOf(quarter)).toHaveLength(4);
  });
});

describe('the pace of the app', () => {
  it('is told where it was slower than usual with a list at rest', () => {
    expect(
      slowedTo(
        played(() => sample(20, 16)),
        60,
      ),
    ).toBeUndefined();
    expect(
      slowedTo(
        played((rate) => sample(20, 16, rate > 1000 ? 200 : 60)),
        60,
      ),
    ).toBe(200);
  });

  it('is not told where it is slower by design, while the list scrolls', () => {
    const scrolled = played(() => sample(20, 16)).map((run) =>
      run.workload.hand === 'fling' ? { ...run, sample: sample(20, 16, 120) } : run,
    );
    expect(slowedTo(scrolled, 60)).toBeUndefined();
  });
});

describe('dropped frames', () => {
  const dropped = (...runs: [count: number, interval: number][]) =>
    droppedFrames(runs.flatMap(([count, interval]) => Array<number>(count).fill(interval)));

  it('are counted against the refresh rate of the screen, not that of a busy page', () => {
    expect(dropped([600, 16.7])).toBe(0);
    expect(dropped([1200, 8.3])).toBe(0);
    // Most frames take three refresh intervals.
    expect(dropped([60, 16.7], [180, 50.1])).toBe(360);
    expect(dropped()).toBe(0);
  });
});
