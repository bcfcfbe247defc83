import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { readInstrument } from '#domain/api/read-market';
import { type Result, success } from '#domain/core/result';
import type { ListQuery, Sort } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { type GridWorkerApi, MOST_SORTED_BY_BARS } from '#domain/worker/grid';
import { createFrames } from '../../../workers/frames/frames';
import type { BarValues } from '../../../workers/market/columnValues';
import { createGrid } from '../../../workers/market/grid';
import { createList, type InstrumentList } from '../../../workers/market/list';
import { Quotes } from '../../../workers/market/quotes';
import { order as sampleOrder } from '../../src/features/sampleOrder';
import { FakeClock } from '../support/fakeClock';
import { instrumentRow } from '../support/testWorker';
import { tickRow } from '../support/ticks';

let list: InstrumentList;
let quotes: Quotes;
let grid: Pick<GridWorkerApi, 'gridRows' | 'leaveGrid'>;
let held: Order[];
/** Low, high and volume of each instrument's day. */
let days: Map<number, BarValues>;
/** The closes of the last day by id, and for which they were asked. */
let lines: Record<number, Float32Array>;
let asked: number[];
/** The instruments whose bars the grid has loaded. */
let loaded: number[];

beforeEach(() => {
  const clock = new FakeClock();
  quotes = new Quotes({
    clock,
    proven: () => true,
    changed: () => {},
    moved: () => list.moved(),
    marketChanged: () => {},
    reasonTold: () => {},
    finer: () => {},
    newest: () => {},
  });
  list = createList(clock, quotes, createFrames(clock).revision('listRevision'));
  list.setLanguage('en');
  held = [];
  days = new Map();
  lines = {};
  asked = [];
  grid = createGrid({
    list,
    quotes,
    columnValues: {
      hold: (_grid, ids) => {
        loaded = [...ids];
      },
      values: (id) => days.get(id) ?? [Number.NaN, Number.NaN, Number.NaN],
    },
    categories: async () =>
      success([
        { id: 1, name: 'Metals' },
        { id: 2, name: 'Forex' },
      ]),
    sparklines: async (ids) => {
      asked.push(...ids);
      return success(lines);
    },
    positions: () => held,
  });
});

function load(codes: readonly string[], categoryOf = (index: number) => (index % 2) + 1): void {
  const rows = codes.map((code, index) =>
    readInstrument(instrumentRow(index + 1, code, { CategoryId: categoryOf(index) })),
  );
  list.replace(rows.filter((row) => row !== undefined));
}

function change(percents: Record<string, number>): void {
  for (const [code, percent] of Object.entries(percents))
    quotes.applyTicks(tickRow(0, code, `${100 + percent}`, { Change: String(percent) }));
}

const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  sort: 'default',
  descending: false,
  favourites: [],
  ...more,
});

function data<T>(result: Result<T>): T {
  if (!result.ok) throw new Error('failed');
  return result.data;
}

async function rowsOf(more: Partial<ListQuery>, resort = false, name = 'one') {
  return data(await grid.gridRows(name, query(more), 0, 10_000, resort)).rows;
}
const codes = async (more: Partial<ListQuery>, resort = false, name = 'one') =>
  (await rowsOf(more, resort, name)).map(({ instrument }) => instrument.code);

const BY_CHANGE: Partial<ListQuery> = { sort: 'change', descending: true };

describe('the order of a grid', () => {
  it('is by volatility once the closes of the last day are there, which are fetched for no other', async () => {
    load(['A', 'B', 'C', 'D']);
    change({ A: 0, B: 0, C: 0, D: 0 });
    lines = {
      1: Float32Array.of(99, 100),
      2: Float32Array.of(90, 105),
      3: Float32Array.of(100, 101, 100),
    };
    await codes(BY_CHANGE);
    expect(asked).toEqual([]);
    const ranking = {
      sort: 'volatility',
      descending: true,
      favourites: [3],
      ranked: true,
    } as const;
    // D has none.
    expect(await codes(ranking)).toEqual(['B', 'A', 'C', 'D']);
    expect(asked).toEqual([1, 2, 3, 4]);
    // The price of now counts.
    change({ A: 30 });
    expect(await codes(ranking, true)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('stays while prices move, until another is asked for', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    expect(await codes(BY_CHANGE)).toEqual(['C', 'B', 'A']);
    change({ A: 9 });
    expect(await codes(BY_CHANGE)).toEqual(['C', 'B', 'A']);
    expect(await codes(BY_CHANGE, true)).toEqual(['A', 'C', 'B']);
    expect(await codes(BY_CHANGE)).toEqual(['A', 'C', 'B']);
  });

  it('has another revision only where rows or their order are others', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    const revision = async (resort: boolean) =>
      data(await grid.gridRows('one', query(BY_CHANGE), 0, 3, resort)).revision;
    const first = await revision(false);
    change({ B: 2.5 });
    expect(await revision(true)).toBe(first);
    change({ B: 5 });
    expect(await revision(false)).toBe(first);
    const second = await revision(true);
    expect(second).not.toBe(first);
    load(['A', 'B', 'C']);
    expect(await revision(false)).not.toBe(second);
  });

  it('is that of another query immediately, and each grid has its own', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    await codes(BY_CHANGE);
    await codes(BY_CHANGE, false, 'two');
    change({ A: 9 });
    expect(await codes(BY_CHANGE, true, 'two')).toEqual(['A', 'C', 'B']);
    expect(await codes(BY_CHANGE)).toEqual(['C', 'B', 'A']);
    expect(await codes({ ...BY_CHANGE, search: 'a' })).toEqual(['A']);
    expect(await codes(BY_CHANGE)).toEqual(['A', 'C', 'B']);
  });

  it('is held over a new list: what is gone leaves, what is new stands at the end', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    await codes(BY_CHANGE);
    load(['A', 'B', 'D', 'E']);
    change({ E: 99 });
    // The ids are those of the places in the list: D has that of C.
    expect(await codes(BY_CHANGE)).toEqual(['D', 'B', 'A', 'E']);
    load(['A']);
    expect(await codes(BY_CHANGE)).toEqual(['A']);
  });

  it('is by what is held, exactly, with what is not held at the end in both directions', async () => {
    load(['A', 'B', 'C']);
    const of = (instrumentId: number, more: Partial<Order>) =>
      sampleOrder({ instrumentId, ...more });
    held = [of(1, { side: 'sell' }), of(3, { side: 'buy' }), of(3, { side: 'buy' })];
    expect(await codes({ sort: 'position', descending: true })).toEqual(['C', 'A', 'B']);
    expect(await codes({ sort: 'position' })).toEqual(['A', 'C', 'B']);
  });

  it('is by the bar of the day with the latest price in it, and what has none stands last', async () => {
    load(['A', 'B', 'C', 'D']);
    change({ A: 0, B: 0, C: -50, D: 0 });
    days = new Map([
      [1, [90, 110, 5]],
      [2, [80, 100, 9]],
      [3, [60, 200, 7]],
    ]);
    // The price of C is 50, below the low that its bar has so far.
    expect(await codes({ sort: 'low' })).toEqual(['C', 'B', 'A', 'D']);
    expect(await codes({ sort: 'low', descending: true })).toEqual(['A', 'B', 'C', 'D']);
    expect(await codes({ sort: 'high', descending: true })).toEqual(['C', 'A', 'B', 'D']);
    expect(await codes({ sort: 'volume' })).toEqual(['A', 'C', 'B', 'D']);
    // At the low, in the middle, at the high.
    expect(await codes({ sort: 'range' })).toEqual(['C', 'A', 'B', 'D']);
    expect(await codes({ sort: 'range', descending: true })).toEqual(['B', 'A', 'C', 'D']);
  });

  it('is by bid, ask and spread where the feed has them', async () => {
    load(['A', 'B', 'C']);
    quotes.applyTicks(tickRow(0, 'A', '100', { Bid: '99', Ask: '101' }));
    quotes.applyTicks(tickRow(0, 'C', '100', { Bid: '99.5', Ask: '100' }));
    expect(await codes({ sort: 'spread' })).toEqual(['C', 'A', 'B']);
    expect(await codes({ sort: 'spread', descending: true })).toEqual(['A', 'C', 'B']);
    expect(await codes({ sort: 'bid' })).toEqual(['A', 'C', 'B']);
    expect(await codes({ sort: 'ask' })).toEqual(['C', 'A', 'B']);
  });

  it('is by the names of the categories', async () => {
    load(['A', 'B', 'C']);
    expect(await codes({ sort: 'category' })).toEqual(['B', 'A', 'C']);
    expect(await codes({ sort: 'category', descending: true })).toEqual(['A', 'C', 'B']);
  });

  it('is the default one where the bars of too many instruments would be needed', async () => {
    load(Array.from({ length: MOST_SORTED_BY_BARS + 1 }, (_, index) => `I${index}`));
    days = new Map([[50, [1, 2, 3]]]);
    const by: Partial<ListQuery> = { sort: 'volume', descending: true };
    const window = data(await grid.gridRows('one', query(by), 0, 1, false));
    expect(window.unsorted).toBe(true);
    expect(window.rows[0]?.instrument.code).toBe('I0');
    expect(loaded).toEqual([]);
    // One less: all of them are sorted, without another query.
    load(Array.from({ length: MOST_SORTED_BY_BARS }, (_, index) => `I${index}`));
    const fewer = data(await grid.gridRows('one', query(by), 0, 1, false));
    expect(fewer.unsorted).toBeUndefined();
    expect(fewer.rows[0]?.instrument.code).toBe('I49');
    expect(loaded).toHaveLength(MOST_SORTED_BY_BARS);
    grid.leaveGrid('one');
    expect(loaded).toEqual([]);
  });

  it('has a heading before each category, and counts its instruments', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    const rows = await rowsOf({ ...BY_CHANGE, grouped: true });
    expect(rows.map(({ heading, instrument }) => heading ?? instrument.code)).toEqual([
      { categoryId: 1, count: 2 },
      'C',
      'A',
      { categoryId: 2, count: 1 },
      'B',
    ]);
    expect(new Set(rows.map(({ instrument }) => instrument.id)).size).toBe(rows.length);
    const first = await grid.gridRows('one', query({ ...BY_CHANGE, grouped: true }), 0, 1, false);
    expect(first).toMatchObject({ ok: true, data: { total: 5, instruments: 3 } });
  });

  it('is that of the values, for all values, and a window is a part of it', async () => {
    const change = fc.oneof(fc.integer({ min: -500, max: 500 }), fc.constant(undefined));
    const sorts: Sort[] = ['change', 'price', 'name', 'code', 'default', 'open', 'age', 'low'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...sorts),
        fc.boolean(),
        fc.nat(45),
        fc.nat(45),
        async (changes, sort, descending, from, length) => {
          const names = changes.map((_, index) => `I${index}`);
          load(names);
          for (const [index, percent] of changes.entries()) {
            const code = names[index] as string;
            if (percent !== undefined)
              quotes.applyTicks(
                tickRow(0, code, String(100 + percent / 10), { Change: String(percent) }),
              );
          }
          const all = await rowsOf({ sort, descending }, true);
          expect(all).toHaveLength(names.length);
          expect(new Set(all.map(({ instrument }) => instrument.code)).size).toBe(names.length);
          if (sort === 'change' || sort === 'price') {
            const values = all
              .map(({ quote }) => (sort === 'change' ? quote.change : quote.close))
              .filter((value) => !Number.isNaN(value));
            const sorted = values.toSorted((a, b) => (descending ? b - a : a - b));
            expect(values).toEqual(sorted);
          }
          const answer = await grid.gridRows(
            'one',
            query({ sort, descending }),
            from,
            from + length,
            false,
          );
          const part = data(answer).rows.map(({ instrument }) => instrument.code);
          expect(part).toEqual(
            all.slice(from, from + length).map(({ instrument }) => instrument.code),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('puts favourites first, and keeps the own order of a watchlist', async () => {
    load(['A', 'B', 'C']);
    change({ A: 1, B: 2, C: 3 });
    expect(await codes({ ...BY_CHANGE, favourites: [1] })).toEqual(['A', 'C', 'B']);
    expect(await codes({ only: [2, 1], favourites: [1] })).toEqual(['B', 'A']);
    expect(await codes({ only: [2, 1], descending: true })).toEqual(['A', 'B']);
  });
});
