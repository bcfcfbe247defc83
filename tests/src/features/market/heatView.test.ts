import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import type { ListRow } from '#domain/market/list';
import { categoryNames } from '../../../../src/features/market/grid/gridColumns';
import { HeatView, heatOf, MOST_SQUARES } from '../../../../src/features/market/grid/heatView';
import { showLanguage } from '../../../../src/i18n/i18n';
import { eventually } from '../../../helpers/eventually';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../scriptedWorkerApi';

let seen: (elements: readonly Element[]) => void;

beforeEach(async () => {
  const observed: Element[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: unknown[]) => void) {
        seen = (elements) =>
          callback(
            observed.map((target) => ({ target, isIntersecting: elements.includes(target) })),
          );
      }
      observe(element: Element) {
        observed.push(element);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  categoryNames.value = new Map([
    [1, 'Forex'],
    [2, 'Crypto'],
  ]);
  await showLanguage('en');
  document.body.replaceChildren();
  // jsdom lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
});
afterEach(() => void vi.restoreAllMocks());

const heading = (categoryId: number, count: number) =>
  listRow(-1 - categoryId, { heading: { categoryId, count } });
const QUERY = { sort: 'change', descending: true, favourites: [] } as const;
const settled = () => eventually(() => expect(document.querySelector('[role=row]')).toBeTruthy());

async function map(rows: ListRow[]) {
  const worker = scriptWorkerApi(rows);
  let loads = 0;
  worker.scripted.gridRows = async (_name, _query, from, to) => {
    loads++;
    return success({
      revision: 1,
      total: rows.length,
      from,
      rows: rows.slice(from, to),
      instruments: rows.filter(({ heading }) => !heading).length,
      loading: false,
    });
  };
  const view = new HeatView();
  document.body.append(view.element);
  const totals: number[] = [];
  view.onTotal = (total) => totals.push(total);
  view.show(QUERY);
  const detach = view.attach();
  // The files of a process share the signals that it follows.
  onTestFinished(detach);
  await settled();
  const squares = () => [...document.querySelectorAll<HTMLElement>('[role=row]')];
  return { ...worker, view, detach, totals, squares, loads: () => loads };
}

test('a change has a colour by its direction and its size, none where there is none', () => {
  expect([2.5, 1, 0.99, 0, -0.01, -1, Number.NaN].map(heatOf)).toEqual([
    'up-strong',
    'up-strong',
    'up',
    'none',
    'down',
    'down-strong',
    'none',
  ]);
});

test('is a table for each category, whose rows say name and change', async () => {
  const { totals } = await map([heading(1, 2), listRow(1), listRow(2), heading(2, 1), listRow(3)]);
  const tables = [...document.querySelectorAll('[role=table]')];
  expect(tables.map((table) => table.getAttribute('aria-label'))).toEqual(['Forex', 'Crypto']);
  expect(tables[0]?.querySelectorAll('[role=row]')).toHaveLength(2);
  expect(tables[1]?.textContent).toBe('Name 3+10.00%');
  expect(totals.at(-1)).toBe(3);
});

const withChange = (id: number, change: number, more = {}) => {
  const row = listRow(id);
  return { ...row, quote: { ...row.quote, change, ...more } };
};

test('areas are in proportion to the changes, the largest first, the least a quarter of it', async () => {
  const { squares } = await map([
    heading(1, 5),
    withChange(1, 0.3),
    withChange(2, -1.2),
    withChange(3, 0.01),
    withChange(4, 0.9),
    withChange(5, -3, { marketOpen: false }),
  ]);
  expect(squares().map((square) => square.querySelector('button')?.textContent)).toEqual([
    'Name 2',
    'Name 4',
    'Name 1',
    'Name 3',
    'Name 5',
  ]);
  const areas = squares().map(
    ({ style }) => Number.parseFloat(style.inlineSize) * Number.parseFloat(style.blockSize),
  );
  const least = areas.at(-1) ?? 0;
  expect(areas.map((area) => Number((area / least).toFixed(3)))).toEqual([4, 3, 1, 1, 1]);
});

test('places are measured anew once a minute, and not while the user is at a square', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const rows = [heading(1, 2), withChange(1, 2), withChange(2, 1)];
  const { squares, totals, view, loads } = await map(rows);
  const names = () => squares().map((square) => square.querySelector('button')?.textContent);
  rows.splice(1, 2, withChange(1, 1), withChange(2, 2));
  squares()[0]?.querySelector('button')?.focus();
  const before = { loads: loads(), totals: totals.length };
  vi.advanceTimersByTime(60_000);
  // The list has changed.
  view.show({ ...QUERY });
  await eventually(() => expect(totals.length).toBeGreaterThan(before.totals));
  expect(loads()).toBe(before.loads + 1);
  expect(names()).toEqual(['Name 1', 'Name 2']);
  (document.activeElement as HTMLElement).blur();
  vi.advanceTimersByTime(60_000);
  await eventually(() => expect(names()).toEqual(['Name 2', 'Name 1']));
});

test('shows the first 500 instruments, whatever their headings, and counts all of them', async () => {
  const category = (at: number, count: number) => [
    heading(at, count),
    ...Array.from({ length: count }, (_, index) => listRow(at * 1000 + index)),
  ];
  const sizes = [1, 1, 1, 1, 400, 96, 400, 300];
  const { squares, totals } = await map(sizes.flatMap((count, at) => category(at, count)));
  expect(squares()).toHaveLength(MOST_SQUARES);
  expect(document.querySelectorAll('[role=table]')).toHaveLength(6);
  expect(totals.at(-1)).toBe(1200);
});

test('only squares in sight are watched, and are repainted in place', async () => {
  const { squares, quotes, watches } = await map([heading(1, 2), listRow(1), listRow(2)]);
  const [first, second] = squares();
  seen([first as Element]);
  await eventually(() =>
    expect(watches.flatMap(({ instruments }) => instruments?.add ?? [])).toEqual([1]),
  );
  expect(first?.dataset['heat']).toBe('up-strong');
  quotes(quoteNumbers(1, 1.1, { change: -0.25 }), quoteNumbers(2, 1.1, { change: -0.25 }));
  expect(squares()[0]).toBe(first);
  expect(first?.textContent).toBe('Name 1-0.25%');
  expect(first?.dataset['heat']).toBe('down');
  expect(second?.dataset['heat']).toBe('up-strong');
  seen([]);
  await eventually(() =>
    expect(watches.flatMap(({ instruments }) => instruments?.remove ?? [])).toEqual([1]),
  );
});

test('one square has the tab stop; arrows move, Enter opens', async () => {
  const { view, squares } = await map([heading(1, 2), listRow(1), listRow(2)]);
  const picked: string[] = [];
  view.onPick = ({ instrument }) => picked.push(instrument.code);
  const buttons = () => squares().map((square) => square.querySelector('button'));
  expect(buttons().map((button) => button?.tabIndex)).toEqual([0, -1]);
  buttons()[0]?.focus();
  buttons()[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  expect(document.activeElement).toBe(buttons()[1]);
  expect(buttons().map((button) => button?.tabIndex)).toEqual([-1, 0]);
  buttons()[1]?.click();
  expect(picked).toEqual(['CODE2']);
});
