import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COLUMN_VALUE_STRIDE, type WatchedColumnValue } from '#domain/worker/grid';
import { columnChoice, columnSpec } from '../../../src/features/market/grid/gridColumns';
import { showLanguage } from '../../../src/i18n/i18n';
import { COLUMNS_WITH_STARS, spreads } from '../../../src/instruments/columns';
import { RowView } from '../../../src/instruments/rowView';
import { watchSpread } from '../../../src/instruments/spreadText';
import { GRID_COLUMNS } from '../../../src/preferences/gridSettings';
import { samples, seed } from '../../helpers/samples';
import { listRow, quoteNumbers, scriptWorkerApi } from '../scriptedWorkerApi';

const COLUMNS = [
  ...COLUMNS_WITH_STARS,
  ...GRID_COLUMNS.map((id) => columnSpec(columnChoice({ id }, [])).make),
];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  spreads.watch = watchSpread;
  await showLanguage('en');
});
afterEach(() => {
  spreads.watch = undefined as never;
  vi.useRealTimers();
});

type Worker = ReturnType<typeof scriptWorkerApi>;
type Step = (view: RowView, worker: Worker) => unknown;

const row = (id: number) => ({
  row: { ...listRow(id), hasBook: id < 3 },
  current: false,
  favourite: id === 2,
});
const id = fc.integer({ min: 1, max: 3 });
const columnValue = fc.double({ min: 1, max: 99, noNaN: true });

/** Values of all figures that were ever asked for, also of those that nobody waits for any more. */
function allFigures({ calls }: Worker, value: number): Float64Array {
  const asked = calls.flatMap(({ method, args }) =>
    method === 'watchColumnValues' ? (args[0] as { add: WatchedColumnValue[] }).add : [],
  );
  const numbers = new Float64Array(asked.length * COLUMN_VALUE_STRIDE).fill(value);
  for (const [index, { id }] of asked.entries()) numbers[index * COLUMN_VALUE_STRIDE] = id;
  return numbers;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(id, fc.boolean()).map(
    ([id, live]): Step =>
      (view) =>
        view.show(row(id), live),
  ),
  fc.constant<Step>((view) => view.show(undefined)),
  fc.boolean().map(
    (live): Step =>
      (view) =>
        view.follow(live),
  ),
  fc.tuple(id, columnValue).map(
    ([id, close]): Step =>
      (_, { quotes }) =>
        quotes(quoteNumbers(id, close, { change: close })),
  ),
  fc.tuple(id, columnValue).map(
    ([id, bid]): Step =>
      (_, { frame }) =>
        frame({ topsOfBook: [{ id, bid, ask: bid + 1 }] }),
  ),
  columnValue.map(
    (value): Step =>
      (_, worker) =>
        worker.frame({ columnValues: allFigures(worker, value) }),
  ),
  fc.constantFrom(0, 300).map(
    (ms): Step =>
      () =>
        vi.advanceTimersByTimeAsync(ms),
  ),
);

/** What is seen of it: not the highlight of a moment, nor whether an empty cell was ever written. */
const look = ({ element }: RowView) =>
  element.outerHTML
    .replace(/ ?flash-\w+| translate="no"| (class|data-value|aria-label)=""/g, '')
    .replace(/ hidden=""><i[^>]*>/g, ' hidden=""><i>');

test('whatever a row element has shown, and whatever arrives late: it shows what a new one would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      id,
      columnValue,
      async (steps, last, value) => {
        const worker = scriptWorkerApi();
        const used = new RowView(COLUMNS);
        document.body.replaceChildren(used.element);
        for (const each of steps) await each(used, worker);
        // It leaves, and may come back before the next frame.
        used.show(row(9), true);
        const late = allFigures(worker, value);
        used.show(row(last), true);
        const fresh = new RowView(COLUMNS);
        document.body.append(fresh.element);
        fresh.show(row(last), true);
        worker.frame({ columnValues: late, topsOfBook: [{ id: 9, bid: 5, ask: 6 }] });
        worker.quotes(quoteNumbers(9, 77), quoteNumbers(last, 3));
        await vi.advanceTimersByTimeAsync(10);
        const [shown, expected] = [look(used), look(fresh)];
        // What comes now is written.
        worker.frame({
          topsOfBook: [{ id: last, bid: 5, ask: 7 }],
          columnValues: allFigures(worker, value),
        });
        await vi.advanceTimersByTimeAsync(300);
        worker.frame({ columnValues: allFigures(worker, 42) });
        const [next, expectedNext] = [look(used), look(fresh)];
        for (const view of [used, fresh]) view.follow(false);
        await vi.advanceTimersByTimeAsync(300);
        expect(shown).toBe(expected);
        expect(next).toBe(expectedNext);
        expect(next).not.toBe(shown);
      },
    ),
    { numRuns: samples(60, 2_000), seed },
  );
});
