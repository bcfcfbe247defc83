import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { failed, success } from '#domain/core/result';
import type { ListQuery } from '#domain/market/list';
import { MarketScreen } from '../../../src/features/market/MarketScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import { marketQuery } from '../../../src/preferences/marketQuery';
import {
  descending,
  favourites,
  sort,
  toggleFavourite,
} from '../../../src/preferences/preferences';
import { filter, setFilter, watchlists } from '../../../src/preferences/watchlists';
import { onPhone, renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

let path = '';
function Where() {
  path = useLocation().pathname;
  return null;
}

beforeEach(async () => {
  onPhone();
  setFilter(undefined);
  sort.value = 'default';
  descending.value = false;
  favourites.value = [];
  watchlists.value = [];
  await showLanguage('en');
});

async function market(rows = [listRow(1)]) {
  const worker = scriptWorkerApi(rows);
  const page = await renderSettled(
    <MemoryRouter>
      <MarketScreen />
      <Where />
    </MemoryRouter>,
  );
  await settle();
  const button = (name: string) => screen.getByRole('button', { name });
  const head = (name: string) =>
    screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
  return { ...worker, page, button, head };
}

test('a column header sorts, reverses, then restores the order of the market', async () => {
  const { button, head } = await market();
  const press = async (name: string) => {
    await userEvent.click(button(name));
    return [marketQuery.value.sort, marketQuery.value.descending, head(name)];
  };
  expect(await press('Name')).toEqual(['name', false, 'ascending']);
  expect(await press('Name')).toEqual(['name', true, 'descending']);
  expect(await press('Name')).toEqual(['default', false, 'none']);
  expect(await press('Change')).toEqual(['change', true, 'descending']);
  expect(await press('Name')).toEqual(['name', false, 'ascending']);
  expect(head('Change')).toBe('none');
});

test.each([
  ['watchlists', () => userEvent.click(screen.getByRole('button', { name: 'Watchlists' }))],
  [
    'menu of a row',
    async () => fireEvent.contextMenu(screen.getByRole('button', { name: /^Name 1/ })),
  ],
])('%s: nothing opens by itself once the screen is shown again', async (_, open) => {
  scriptWorkerApi([listRow(1)]);
  // happy-dom has no layout: the row has a place.
  for (const size of ['clientHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(360);
  const screenIn = (mode: 'visible' | 'hidden') => (
    <MemoryRouter>
      <Activity mode={mode}>
        <MarketScreen />
      </Activity>
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(screenIn('visible'));
  await settle();
  const opened = () => document.querySelector('[role=dialog], [role=menu]');
  await open();
  await waitFor(() => expect(opened()).not.toBeNull());
  await act(async () => rerender(screenIn('hidden')));
  await act(async () => rerender(screenIn('visible')));
  await waitFor(() => expect(opened()).toBeNull());
});

test('a category chip filters; a removed category filters nothing', async () => {
  setFilter(9);
  await market();
  const radios = screen.getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ checked }) => checked)).toEqual([false, true, false, false, false, false]);
  await userEvent.click(radios[5] as Element);
  expect(marketQuery.value.categoryId).toBe(1);
  await userEvent.click(radios[1] as Element);
  expect(marketQuery.value).not.toHaveProperty('categoryId');
});

test('a chip lists what has moved most, until the user sorts otherwise', async () => {
  const { button } = await market();
  await userEvent.click(screen.getByRole('radio', { name: 'Top movers' }));
  expect(marketQuery.value).toMatchObject({ sort: 'change', descending: true, ranked: true });
  await userEvent.click(button('Name'));
  expect(marketQuery.value).toMatchObject({ open: true, sort: 'name', descending: false });
  expect(marketQuery.value).not.toHaveProperty('ranked');
});

test('a chip ranks by volatility, which the worker sorts by as it does for grids', async () => {
  const { calls, scripted } = await market();
  scripted.gridRows = async () =>
    success({ revision: 1, total: 1, from: 0, rows: [listRow(7)], loading: false });
  await userEvent.click(screen.getByRole('radio', { name: 'Volatility' }));
  await settle();
  const ranking = { open: true, sort: 'volatility', descending: true, ranked: true };
  expect(marketQuery.value).toMatchObject(ranking);
  expect(calls.find(({ method }) => method === 'gridRows')?.args[1]).toMatchObject(ranking);
});

test('a chip lists open markets only, or shows that there are none', async () => {
  await market([{ ...listRow(1), quote: { ...listRow(1).quote, marketOpen: false } }]);
  await userEvent.click(screen.getByRole('radio', { name: 'Open' }));
  await settle();
  expect(marketQuery.value.open).toBe(true);
  expect(screen.getByText('No market is open at the moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(marketQuery.value).not.toHaveProperty('open');
});

test('the first chip lists favourites only, or says how to choose them', async () => {
  await market([listRow(1), listRow(2)]);
  await userEvent.click(screen.getByRole('radio', { name: 'Favourites' }));
  await settle();
  expect(screen.getByText('Tap the star of an instrument to keep it here.')).toBeTruthy();
  await act(async () => toggleFavourite(2));
  await settle();
  expect(marketQuery.value).toMatchObject({ only: [2], favourites: [2] });
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  expect(marketQuery.value).not.toHaveProperty('only');
});

test('a star sorts its row once the list is refreshed, or shown again', async () => {
  const rows = [listRow(1), listRow(2)];
  const { calls, page, button } = await market(rows);
  const sortedBy = () => {
    const asked = calls.filter(({ method }) => method === 'rows').at(-1)?.args[0];
    return (asked as ListQuery).favourites;
  };
  await act(async () => toggleFavourite(2));
  await settle();
  expect([favourites.value, sortedBy()]).toEqual([[2], []]);
  await userEvent.click(button('Refresh'));
  await settle();
  expect(sortedBy()).toEqual([2]);
  await act(async () => toggleFavourite(1));
  await settle();
  expect(sortedBy()).toEqual([2]);
  page.unmount();
  calls.length = 0;
  await renderSettled(
    <MemoryRouter>
      <MarketScreen />
    </MemoryRouter>,
  );
  await settle();
  expect(favourites.value).toContain(1);
  expect(sortedBy()).toEqual(favourites.value);
});

test('favourites are put in an own order by arrow keys and by drag', async () => {
  favourites.value = [3, 1, 9, 2];
  setFilter('favourites');
  await market([listRow(1), listRow(2), listRow(3)]);
  await settle();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit list: Favourites' }));
  const grip = await screen.findByRole('button', { name: 'Move Name 3' });
  await act(async () => grip.focus());
  await userEvent.keyboard('{ArrowUp}');
  expect(favourites.value).toEqual([3, 1, 9, 2]);
  await userEvent.keyboard('{ArrowDown}');
  // What the server does not list goes to the end.
  expect(favourites.value).toEqual([1, 3, 2, 9]);
  expect(document.activeElement).toBe(grip);
  expect(screen.getByText('Name 3: 2 of 3')).toBeTruthy();

  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({
    height: 56,
  } as DOMRect);
  const rows = grip.closest('ul') as HTMLUListElement;
  rows.setPointerCapture = () => undefined;
  fireEvent.pointerDown(grip, { pointerId: 1, clientY: 100 });
  fireEvent.pointerMove(rows, { pointerId: 1, clientY: 140 });
  expect(favourites.value).toEqual([1, 2, 3, 9]);
  fireEvent.pointerMove(rows, { pointerId: 1, clientY: -900 });
  expect(favourites.value).toEqual([3, 1, 2, 9]);
  fireEvent.pointerUp(rows, { pointerId: 1 });
  fireEvent.pointerMove(rows, { pointerId: 1, clientY: 300 });
  expect(favourites.value).toEqual([3, 1, 2, 9]);
});

/** Opens the sheet of watchlists and follows its buttons. */
async function press(...names: string[]) {
  for (const name of names) await userEvent.click(await screen.findByRole('button', { name }));
}
const field = (name: string) => screen.findByRole('textbox', { name });

test('a list is created, filled, shown first, renamed and deleted; favourites stay', async () => {
  favourites.value = [3];
  await market([listRow(1), listRow(2), listRow(3)]);
  await press('Watchlists', 'New list');
  await userEvent.type(await field('List name'), '  Metals ');
  await press('Create list');
  const [list] = watchlists.value;
  expect(list).toMatchObject({ name: 'Metals', instruments: [] });
  expect(filter.value).toBe(list?.id);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Name 2 CODE2' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Name 1 CODE1' }));
  expect(marketQuery.value).toMatchObject({ only: [2, 1], favourites: [3] });

  await press('Done');
  const grip = await screen.findByRole('button', { name: 'Move Name 1' });
  await act(async () => grip.focus());
  await userEvent.keyboard('{ArrowUp}');
  expect(marketQuery.value.only).toEqual([1, 2]);
  await press('Remove: Name 1');
  expect(marketQuery.value.only).toEqual([2]);
  // The focus does not go with the row.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Name 2' }));

  await press('Rename list');
  const name = await field('List name');
  await userEvent.clear(name);
  await userEvent.type(name, 'favourites');
  await press('Save');
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('You already have a list with this name')).toBeTruthy();
  await userEvent.clear(name);
  await userEvent.type(name, 'Gold{Enter}');
  expect(watchlists.value).toEqual([{ ...list, name: 'Gold', instruments: [2] }]);

  await press('Delete list');
  expect(screen.getByText(/Delete the list “Gold”/)).toBeTruthy();
  await press('Cancel');
  expect(watchlists.value).toHaveLength(1);
  await press('Delete list', 'Delete');
  expect(watchlists.value).toEqual([]);
  expect(filter.value).toBe('favourites');
  expect(marketQuery.value.only).toEqual([3]);
});

test('an empty list offers to add instruments, and stays open while they are added', async () => {
  watchlists.value = [{ id: 'list-a', name: 'Asia', instruments: [] }];
  await market([listRow(1), listRow(2)]);
  const [favouritesChip, own, all] = screen.getAllByRole<HTMLInputElement>('radio');
  expect([favouritesChip, own, all].map((chip) => chip?.labels?.[0]?.textContent)).toEqual([
    'Favourites',
    'Asia',
    'All',
  ]);
  await userEvent.click(own as Element);
  await settle();
  await press('Add instruments');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Name 2 CODE2' }));
  await settle();
  expect(watchlists.value[0]?.instruments).toEqual([2]);
  await userEvent.type(screen.getByRole('searchbox'), 'name 1');
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1));
});

test('a list that another tab deletes leaves the sheet at all lists, and the chips at favourites', async () => {
  watchlists.value = [{ id: 'list-a', name: 'Asia', instruments: [1] }];
  setFilter('list-a');
  await market([listRow(1), listRow(2)]);
  await press('Edit list: Asia');
  await screen.findByRole('button', { name: 'Move Name 1' });
  await act(async () => {
    watchlists.value = [];
  });
  await settle();
  expect(screen.queryByRole('button', { name: 'Move Name 1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'New list' })).toBeTruthy();
  expect(
    screen.getByRole<HTMLInputElement>('radio', { name: 'Favourites', hidden: true }).checked,
  ).toBe(true);
});

test('at most 20 lists', async () => {
  watchlists.value = Array.from({ length: 20 }, (_, index) => ({
    id: `list-${index}` as const,
    name: `List ${index}`,
    instruments: [],
  }));
  await market();
  await press('Watchlists');
  expect(await screen.findByText('You can have up to 20 lists.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'New list' })).toBeNull();
});

test('categories that failed to load are loaded with the next list', async () => {
  const worker = await market();
  worker.scripted.categories = async () => failed({ kind: 'transport', code: 'ERR_NETWORK' });
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  worker.scripted.categories = async () => success([{ id: 4, name: 'Energy' }]);
  await act(async () => worker.frame({ listRevision: Math.random() }));
  await settle();
  expect(worker.page.container.textContent).toContain('Energy');
});

test('a desktop has a refresh button; search and languages are one click away', async () => {
  const { button, count } = await market();
  await userEvent.click(button('Refresh'));
  expect(count('refreshList')).toBe(1);
  await userEvent.click(screen.getByRole('link', { name: 'Language' }));
  expect(path).toBe('/language');
});
