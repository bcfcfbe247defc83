import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import { columnValueName } from '#domain/indicators/columns';
import type { ListRow } from '#domain/market/list';
import type { GridQuery, WatchedColumnValue } from '#domain/worker/grid';
import { columnChoice } from '../../../../src/features/market/grid/gridColumns';
import { gridCsv } from '../../../../src/features/market/grid/gridCsv';
import { GridView, KEYS_HOLD, RESORT } from '../../../../src/features/market/grid/gridView';
import InstrumentGrid from '../../../../src/features/market/grid/InstrumentGrid';
import WatchlistPanel from '../../../../src/features/market/WatchlistPanel';
import { showLanguage } from '../../../../src/i18n/i18n';
import { chosen } from '../../../../src/instruments/indicatorSettings';
import { marketGrid } from '../../../../src/preferences/gridSettings';
import { favourites } from '../../../../src/preferences/preferences';
import { type Filter, watchlists } from '../../../../src/preferences/watchlists';
import { renderSettled, settle } from '../../rendering';
import { listRow, scriptWorkerApi } from '../../scriptedWorkerApi';
import { lots, usd } from '../sampleOrder';

// happy-dom has no layout: set the height of rows, so that fourteen fit.
beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  marketGrid.reset();
  marketGrid.sort('default', false);
  favourites.value = [];
  watchlists.value = [];
  await showLanguage('en');
});

function script(rows: ListRow[]) {
  const worker = scriptWorkerApi(rows);
  const asked: { query: GridQuery; resort: boolean }[] = [];
  worker.scripted.gridRows = async (_grid, query, from, to, resort) => {
    asked.push({ query, resort });
    const { only } = query;
    const found = rows.filter(({ instrument }) => !only || only.includes(instrument.id));
    if (only) found.sort((a, b) => only.indexOf(a.instrument.id) - only.indexOf(b.instrument.id));
    const window = {
      revision: asked.length,
      total: found.length,
      from,
      rows: found.slice(from, to),
    };
    return success({ ...window, loading: false });
  };
  return { ...worker, asked };
}

async function rendered(filter: Filter = undefined, picked: string[] = []) {
  const page = await renderSettled(
    <InstrumentGrid
      grid={marketGrid}
      label="Market"
      filter={filter}
      current={undefined}
      onPick={({ instrument }) => picked.push(instrument.code)}
      onAdd={() => undefined}
      onEdit={() => undefined}
      empty="nothing here"
    />,
  );
  await settle();
  return page;
}

async function grid(rows: ListRow[], filter: Filter = undefined) {
  const worker = script(rows);
  const picked: string[] = [];
  const page = await rendered(filter, picked);
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(async () => {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
      );
    });
  const focused = () => {
    const cell = document.activeElement?.closest('[data-column]');
    const row = document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex');
    return `${row} ${cell?.getAttribute('data-column')}`;
  };
  return { ...worker, page, picked, press, focused };
}

const many = Array.from({ length: 1000 }, (_, index) => listRow(index + 1));

test('says its size, and the place of each cell', async () => {
  await grid(many);
  const table = screen.getByRole('grid', { name: 'Market' });
  expect(table.getAttribute('aria-rowcount')).toBe('1001');
  expect(table.getAttribute('aria-colcount')).toBe('4');
  const first = within(table).getAllByRole('row')[1];
  const cells = within(first as HTMLElement).getAllByRole('gridcell');
  expect(cells.map((cell) => cell.getAttribute('aria-colindex'))).toEqual(['1', '2', '3', '4']);
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map((head) => head.getAttribute('aria-colindex'))).toEqual([
    '1',
    '2',
    null,
    '3',
    '4',
  ]);
});

test('keys move from cell to cell, to the head and back; one cell has the tab stop', async () => {
  const { press, focused, picked } = await grid(many);
  await act(async () => screen.getByRole('button', { name: 'Name 1' }).focus());
  await press('ArrowDown');
  await press('ArrowRight');
  expect(focused()).toBe('3 price');
  await press('ArrowDown');
  await press('End');
  expect(focused()).toBe('4 change');
  await press('Home');
  expect(focused()).toBe('4 favour');
  await press('PageDown');
  expect(focused()).toBe('14 favour');
  await press('Home', { ctrlKey: true });
  await press('ArrowRight');
  expect(focused()).toBe('2 name');
  await press('ArrowUp');
  expect(focused()).toBe('1 name');
  await press('ArrowRight');
  await press('ArrowRight');
  expect(focused()).toBe('1 price');
  await press('ArrowDown');
  expect(focused()).toBe('2 price');
  await press('Enter');
  expect(picked).toEqual(['CODE1']);
  const stops = document.querySelectorAll('[role=row] [tabindex="0"]:not([data-head])');
  expect(stops).toHaveLength(1);
});

test('a head sorts, reverses and restores; each order is asked of the worker', async () => {
  const { asked } = await grid(many);
  const head = screen.getByRole('button', { name: 'Change' });
  const cell = head.closest('[role=columnheader]');
  await userEvent.click(head);
  expect(cell?.getAttribute('aria-sort')).toBe('descending');
  expect(asked.at(-1)?.query).toMatchObject({ sort: 'change', descending: true });
  await userEvent.click(head);
  expect(asked.at(-1)?.query).toMatchObject({ sort: 'change', descending: false });
  await userEvent.click(head);
  expect(asked.at(-1)?.query).toMatchObject({ sort: 'default' });
  expect(cell?.getAttribute('aria-sort')).toBe('none');
});

test('a head that was dragged does not sort, and sorts by keys after that', async () => {
  await grid(many);
  const head = screen.getByRole('button', { name: 'Price' });
  head.setPointerCapture = () => undefined;
  const at = (clientX: number) => ({ clientX, button: 0, pointerType: 'mouse' });
  await act(async () => {
    fireEvent.pointerDown(head, at(0));
    fireEvent.pointerMove(head, at(50));
    fireEvent.pointerUp(head, at(50));
    fireEvent.click(head, { detail: 1 });
  });
  expect(marketGrid.settings.peek().sort).toBe('default');
  // As by Enter.
  await act(async () => fireEvent.click(head, { detail: 0 }));
  expect(marketGrid.settings.peek().sort).toBe('price');
});

test('filters as the user types', async () => {
  const { asked } = await grid(many);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter' }), 'gold');
  expect(asked.at(-1)?.query.search).toBe('gold');
});

test('a watchlist is changed in its rows', async () => {
  watchlists.value = [{ id: 'list-a', name: 'Mine', instruments: [1, 2, 3] }];
  const { press } = await grid(many, 'list-a');
  const listed = () => watchlists.value[0]?.instruments;
  await act(async () => screen.getByRole('button', { name: 'Name 2' }).focus());
  await press('ArrowUp', { altKey: true });
  expect(listed()).toEqual([2, 1, 3]);
  await press('ArrowUp', { altKey: true });
  expect(listed()).toEqual([2, 1, 3]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove from the list: Name 3' }));
  expect(listed()).toEqual([2, 1]);
  // An order that prices have made is not one to change.
  await act(async () => marketGrid.sort('change', true));
  await act(async () => screen.getByRole('button', { name: 'Name 1' }).focus());
  await press('ArrowDown', { altKey: true });
  expect(listed()).toEqual([2, 1]);
  await press('Delete');
  expect(listed()).toEqual([2]);
});

test('the order stays while the pointer is inside or keys move, and is another as soon as it leaves', async () => {
  vi.useFakeTimers();
  try {
    const { asked } = script(many);
    const scroller = document.createElement('div');
    document.body.append(scroller);
    const view = new GridView();
    view.setColumns([{ id: 'name' }, { id: 'price' }, { id: 'change' }]);
    scroller.append(view.element);
    view.show({ query: { sort: 'change', descending: true, favourites: [] } });
    const detach = view.attach(scroller);
    const flush = () => vi.advanceTimersByTimeAsync(0);
    const resorts = () => asked.filter(({ resort }) => resort).length;
    const pass = () => vi.advanceTimersByTimeAsync(RESORT);
    await flush();
    const before = resorts();
    await pass();
    await pass();
    expect(resorts()).toBe(before + 2);

    const point = (type: string, pointerType: string) =>
      view.element.dispatchEvent(new PointerEvent(type, { pointerType }));
    point('pointerenter', 'mouse');
    expect(view.held.value).toBe(true);
    for (let second = 0; second < 10; second++) await pass();
    expect(resorts()).toBe(before + 2);
    point('pointerleave', 'mouse');
    await flush();
    expect(resorts()).toBe(before + 3);

    // A finger that touches does not hold it.
    point('pointerenter', 'touch');
    expect(view.held.value).toBe(false);

    const cell = view.element.querySelector<HTMLElement>('[data-act=pick]');
    cell?.focus();
    cell?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    expect(view.held.value).toBe(true);
    await vi.advanceTimersByTimeAsync(KEYS_HOLD);
    expect(view.held.value).toBe(false);

    // Names don't move.
    view.show({ query: { sort: 'name', descending: false, favourites: [] } });
    await flush();
    const named = resorts();
    await pass();
    expect(resorts()).toBe(named);
    detach();
    await pass();
    expect(resorts()).toBe(named);
  } finally {
    vi.useRealTimers();
  }
});

test('a file has the shown columns, exact and as the protocol names them', () => {
  const row = listRow(1, {
    quote: { close: 1.1, open: 1.09, change: -0.5, time: undefined, marketOpen: true },
  });
  const named = { ...row, instrument: { ...row.instrument, name: '=HYPERLINK("x")' } };
  const position = { lots: lots('-0.30'), profit: usd('12.345678') };
  const text = gridCsv(
    [
      { id: 'name' },
      { id: 'chart' },
      { id: 'price' },
      { id: 'change' },
      { id: 'low' },
      columnChoice({ id: 'rsi' }, [{ kind: 'rsi', parameters: [9] }]),
      { id: 'position' },
      { id: 'profit' },
    ],
    [
      {
        row: named,
        category: 'Forex',
        position,
        // A price may come before the bar that has it.
        valuesOf: ({ indicator }) => (indicator ? [41.5, NaN, NaN] : [1.2, 1.3, 7]),
      },
      { row: named, category: 'Forex', position: undefined, valuesOf: () => [NaN, NaN, NaN] },
    ],
  );
  expect(text.split('\r\n')).toEqual([
    '\uFEFFCode,ShowCode,Close,Change,Low,RSI 9 60min,Quantity,FactProfits',
    'CODE1,"\'=HYPERLINK(""x"")",1.10000,-0.50,1.10000,41.50000000,-0.3,12.345678',
    'CODE1,"\'=HYPERLINK(""x"")",1.10000,-0.50,,,,',
    '',
  ]);
});

test('a column of an indicator has the parameters that charts have, and its worker’s numbers', async () => {
  chosen.value = [{ id: 1, kind: 'rsi', parameters: [9], colours: ['purple'], hidden: false }];
  marketGrid.toggle('rsi');
  marketGrid.toggle('sma');
  vi.useFakeTimers();
  try {
    const { calls, frame, asked } = await grid(many.slice(0, 3));
    await act(async () => vi.advanceTimersByTimeAsync(300));
    const head = screen.getByRole('button', { name: /^RSI/ });
    expect(head.textContent).toBe('RSI 9 · 1h');
    expect(head.title).toBe('RSI 9 · 1h');
    expect(screen.getByTitle('Distance from SMA 20 · 1h').textContent).toBe('SMA 20 Δ% · 1h');
    const told = calls.filter(({ method }) => method === 'watchColumnValues');
    expect(told).toHaveLength(1);
    const add = told.flatMap(({ args: [change] }) => (change as { add: WatchedColumnValue[] }).add);
    expect(add.map(({ instrumentId, spec }) => [instrumentId, columnValueName(spec)])).toEqual(
      [1, 2, 3].flatMap((id) => [
        [id, '60min rsi 9'],
        [id, '60min sma 20'],
      ]),
    );
    const numbers = add.flatMap(({ id, spec }) => [
      id,
      spec.indicator?.kind === 'rsi' ? 61.234 : -0.517,
      Number.NaN,
      Number.NaN,
    ]);
    await act(async () => frame({ columnValues: Float64Array.from(numbers) }));
    const cells = (column: string) =>
      [...document.querySelectorAll(`[role=gridcell][data-column=${column}]`)].map(
        (cell) => cell.textContent,
      );
    expect(cells('rsi')).toEqual(['61.23', '61.23', '61.23']);
    expect(cells('sma')).toEqual(['-0.52%', '-0.52%', '-0.52%']);

    await act(async () => head.click());
    expect(asked.at(-1)?.query).toMatchObject({
      sort: 'rsi',
      descending: true,
      columnValue: { period: '60min', indicator: { kind: 'rsi', parameters: [9] } },
    });
    // Other bars are another column value.
    await act(async () => marketGrid.setPeriod('rsi', '5min'));
    expect(head.textContent).toBe('RSI 9 · 5m');
    expect(asked.at(-1)?.query).toMatchObject({ columnValue: { period: '5min' } });
    await act(async () => vi.advanceTimersByTimeAsync(300));
    expect(cells('rsi')).toEqual(['', '', '']);
  } finally {
    vi.useRealTimers();
    await act(async () => {
      chosen.value = [];
    });
  }
});

test('says where there are too many instruments to sort by bars, and shows no order then', async () => {
  marketGrid.toggle('volume');
  const worker = script(many);
  const { gridRows } = worker.scripted;
  worker.scripted.gridRows = async (...args) => {
    const answer = await gridRows?.(...args);
    if (!answer?.ok) throw new Error('failed');
    return success({ ...answer.data, ...(args[1].sort === 'volume' && { unsorted: true }) });
  };
  await rendered();
  const head = screen.getByRole('button', { name: 'Volume' });
  await userEvent.click(head);
  expect(screen.getByRole('status').textContent).toContain('“Volume” sorts up to 100 instruments');
  expect(head.closest('[role=columnheader]')?.getAttribute('aria-sort')).toBe('none');
  await userEvent.click(screen.getByRole('button', { name: 'Price' }));
  expect(screen.queryByRole('status')).toBeNull();
});

test('the head of a column that sorts nothing opens its menu', async () => {
  await grid(many.slice(0, 3));
  await userEvent.click(screen.getByRole('button', { name: '24 h' }));
  expect(await screen.findByRole('menuitem', { name: 'Hide column' })).toBeDefined();
});

test('a heading names its category and counts its instruments', async () => {
  marketGrid.group(true);
  const heading = listRow(-2, { heading: { categoryId: 1, count: 3 } });
  const { picked, press } = await grid([heading, ...many.slice(0, 3)]);
  const cell = screen.getByText('Forex · 3');
  expect(cell.getAttribute('role')).toBe('gridcell');
  await act(async () => cell.focus());
  await press('Enter');
  expect(picked).toEqual([]);
  marketGrid.group(false);
});

test('no column of prices is narrower than the longest price', async () => {
  const tiny = listRow(2);
  tiny.instrument.precision = 11;
  tiny.quote.close = 0.00000001234;
  const tracks = () => screen.getByRole('grid').parentElement?.style.getPropertyValue('--tracks');
  await grid([listRow(1)]);
  expect(tracks()).toContain('6.25rem');
  document.body.replaceChildren();
  await grid([listRow(1), tiny]);
  expect(tracks()).not.toContain('6.25rem');
  expect(tracks()).toMatch(/\b8\.15\d*rem/);
});

test('a row and all rows are copied in the gesture that asks for it, also by another alphabet’s key of C', async () => {
  const write = vi.fn(async () => undefined);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ write } as never);
  vi.stubGlobal('ClipboardItem', class {});
  const { press, scripted } = await grid(many);
  // Nothing that is asked of the worker is answered yet.
  scripted.gridRows = () => new Promise(() => {});
  scripted.columnValues = () => new Promise(() => {});
  await act(async () => screen.getByText('Name 1').closest('button')?.focus());
  await press('С', { code: 'KeyC', ctrlKey: true, shiftKey: true });
  expect(write).not.toHaveBeenCalled();
  await press('с', { code: 'KeyC', ctrlKey: true });
  expect(write).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByLabelText('Copy or export'));
  await userEvent.click(await screen.findByText('Copy as CSV'));
  expect(write).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});

test('a panel keeps what the user changes, not the settings that it is given', async () => {
  script(many);
  const save = vi.fn();
  const panel = (settings: unknown) => (
    <WatchlistPanel
      {...{ settings, save, pick: () => {}, setPeriod: () => {} }}
      {...{ row: undefined, period: undefined, crosshair: undefined, toolbar: undefined }}
    />
  );
  const { rerender } = await renderSettled(panel(undefined));
  const given = (settings: unknown) => act(async () => rerender(panel(settings)));
  const of = (...columns: string[]) => ({ grid: { columns: columns.map((id) => ({ id })) } });
  await given(of('name', 'high'));
  expect(screen.getByRole('button', { name: 'High' })).toBeTruthy();
  await given(undefined);
  expect(save).not.toHaveBeenCalled();
  await given(of('name', 'change'));
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(save).toHaveBeenCalledOnce();
  expect(save.mock.lastCall?.[0]).toMatchObject({
    filter: undefined,
    grid: { columns: [{ id: 'name' }, { id: 'change' }], sort: 'change', descending: true },
    heat: false,
  });
});
