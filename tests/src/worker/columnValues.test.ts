import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ColumnValueSpec } from '#domain/indicators/columns';
import { ownCopy } from '../ownCopy';
import { scriptWorkerApi } from '../scriptedWorkerApi';

const { watchColumnValue } = await ownCopy<typeof import('../../../src/worker/columnValues')>(
  '/src/worker/columnValues.ts',
);
const { watchSparkline } = await ownCopy<typeof import('../../../src/worker/sparklines')>(
  '/src/worker/sparklines.ts',
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SPEC: ColumnValueSpec = { period: '60min' };

/** What was asked for, when. */
const asking = {
  'figures of bars': () => {
    const { calls } = scriptWorkerApi();
    return {
      watch: (id: number) => watchColumnValue(id, SPEC, () => undefined),
      asked: () =>
        calls.flatMap(({ method, args: [change] }) =>
          method === 'watchColumnValues'
            ? (change as { add: { instrumentId: number }[] }).add.map((each) => each.instrumentId)
            : [],
        ),
    };
  },
  sparklines: () => {
    const { calls } = scriptWorkerApi();
    return {
      watch: (id: number) => watchSparkline(id, () => undefined),
      asked: () =>
        calls.flatMap(({ method, args: [ids] }) =>
          method === 'sparklines' ? (ids as number[]) : [],
        ),
    };
  },
};
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
let first = 1000;

test.each(Object.entries(asking))(
  '%s are asked for nothing that passes by',
  async (_what, start) => {
    await later(60_000);
    const { watch, asked } = start();
    first += 100;
    const known = watch(first);
    await later(1000);
    expect(asked()).toEqual([first]);
    // A row that leaves does not take others along.
    const passing = watch(first + 1);
    await later(100);
    known();
    await later(50);
    passing();
    await later(1000);
    expect(asked()).toEqual([first]);
    // Nor does the time of a row that has left count for the next one.
    watch(first + 2)();
    await later(150);
    const next = watch(first + 3);
    await later(150);
    next();
    await later(1000);
    expect(asked()).toEqual([first]);
    // A row that comes while others wait stays in sight as long as they.
    const waiting = watch(first + 4);
    await later(190);
    const late = watch(first + 5);
    await later(100);
    late();
    await later(1000);
    expect(asked()).toEqual([first, first + 4]);
    waiting();
  },
);
