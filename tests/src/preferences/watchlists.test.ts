import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Watchlist } from '#domain/market/watchlist';

const LISTS: Watchlist[] = [
  { id: 'list-a', name: 'Metals', instruments: [7, 5] },
  { id: 'list-b', name: 'Asia', instruments: [] },
];

beforeEach(() => localStorage.clear());
afterAll(() => {
  localStorage.clear();
  vi.resetModules();
});

/** A page that begins with what is stored. */
async function page(saved: Record<string, unknown> = {}) {
  for (const [name, value] of Object.entries(saved)) {
    localStorage.setItem(`fulcrum.${name}`, JSON.stringify(value));
  }
  vi.resetModules();
  const session = await import('../../../src/preferences/watchlists');
  const { favourites } = await import('../../../src/preferences/preferences');
  const { marketQuery } = await import('../../../src/preferences/marketQuery');
  const edits = await import('../../../src/instruments/watchlistEdits');
  return { ...session, ...edits, favourites, marketQuery };
}

const kept = (name: string) => JSON.parse(localStorage.getItem(`fulcrum.${name}`) ?? 'null');
/** Another tab saves a value, or removes it. */
function elsewhere(name: string, value: unknown): void {
  const key = `fulcrum.${name}`;
  const newValue = value === undefined ? null : JSON.stringify(value);
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
}

test('the first query of a visit is that of the list shown last', async () => {
  const before = await page({ favourites: [1], watchlists: LISTS });
  before.setFilter('list-a');
  const { marketQuery } = await page();
  expect(marketQuery.peek()).toMatchObject({ only: [7, 5], favourites: [1] });
});

test('favourites and a category that an earlier version kept are shown as before', async () => {
  const { filter, marketQuery, watchlists } = await page({
    favourites: [3, 1],
    category: 'favourites',
  });
  expect([filter.peek(), watchlists.peek()]).toEqual(['favourites', []]);
  expect(marketQuery.peek().only).toEqual([3, 1]);
  expect((await page({ category: 4 })).marketQuery.peek().categoryId).toBe(4);
});

test('a page of an earlier version neither loses lists nor meets values that it resets', async () => {
  const own = await page({ favourites: [1], watchlists: LISTS });
  own.setFilter('list-b');
  own.setInstruments('list-b', [9]);
  // It knows favourites and category, and saves what it has read of them again.
  expect(kept('category')).toBe('favourites');
  elsewhere('category', 'favourites');
  elsewhere('favourites', [1, 2]);
  expect(own.filter.value).toBe('list-b');
  elsewhere('category', undefined);
  expect(own.filter.value).toBeUndefined();
  expect(kept('watchlists')).toEqual([LISTS[0], { ...LISTS[1], instruments: [9] }]);
});

test('lists that are not lists are left out', async () => {
  const { watchlists } = await page({
    watchlists: [
      null,
      { ...LISTS[0], id: 'favourites' },
      { ...LISTS[0], name: 'a\u202eb' },
      { ...LISTS[0], name: 'x'.repeat(25) },
      { ...LISTS[0], instruments: 'all' },
      { ...LISTS[0], instruments: [7, 'x', 7, 5] },
    ],
  });
  expect(watchlists.peek()).toEqual([LISTS[0]]);
});

test('a change in another tab is shown here; a list that it deleted gives way to the favourites', async () => {
  const { filter, marketQuery, setFilter } = await page({ favourites: [1], watchlists: LISTS });
  setFilter('list-a');
  elsewhere('watchlists', [{ ...LISTS[0], instruments: [5, 7, 8] }]);
  expect(marketQuery.value.only).toEqual([5, 7, 8]);
  elsewhere('watchlists', []);
  expect([filter.value, marketQuery.value.only]).toEqual(['favourites', [1]]);
});

test('an instrument is added at the end or removed; favourites are a list like the others', async () => {
  const own = await page({ favourites: [1], watchlists: LISTS });
  own.toggleListed('list-a', 1);
  own.toggleListed('list-a', 7);
  own.toggleListed('favourites', 5);
  expect(kept('watchlists')[0].instruments).toEqual([5, 1]);
  expect(own.favourites.value).toEqual([1, 5]);
  const id = own.createWatchlist(' New ', [4]);
  own.renameWatchlist('list-b', ' Asie ');
  own.deleteWatchlist('list-a');
  expect(kept('watchlists')).toEqual([
    { ...LISTS[1], name: 'Asie' },
    { id, name: 'New', instruments: [4] },
  ]);
});
