import { batch, computed } from '@preact/signals-core';
import { readFields } from '#domain/core/read';
import { isWatchlistName, type Watchlist } from '#domain/market/watchlist';
import { favourites } from './preferences';
import { aNumber, aText, listOf, oneOf, stored } from './stored';

/** The lists of a user: the favourites, then own ones (screens.md#watchlists). */

/** Favourites, or the id of an own list. */
export type ListId = 'favourites' | Watchlist['id'];
/** The filter of a list: the id of a category, a watchlist, open markets only, those that have moved most today, or the most volatile. */
export type Filter = number | 'open' | 'movers' | 'volatility' | ListId | undefined;

export const readWatchlists = listOf(aWatchlist);
export const watchlists = stored<readonly Watchlist[]>('watchlists', [], readWatchlists);

function aWatchlist(value: unknown): Watchlist | undefined {
  const fields = readFields(value);
  const id = aListId(fields?.['id']);
  const name = aText(fields?.['name']);
  const instruments = listOf(aNumber)(fields?.['instruments']);
  if (id === undefined || name === undefined || !isWatchlistName(name) || !instruments) return;
  return { id, name, instruments: [...new Set(instruments)] };
}

function aListId(value: unknown): Watchlist['id'] | undefined {
  return typeof value === 'string' && value.startsWith('list-')
    ? (value as Watchlist['id'])
    : undefined;
}

export function isListId(filter: Filter): filter is ListId {
  return filter === 'favourites' || aListId(filter) !== undefined;
}

export function watchlist(id: ListId): Watchlist | undefined {
  return watchlists.value.find((list) => list.id === id);
}

/** The instruments of a list. Favourites take the place of one that was deleted. */
export function instrumentsOf(id: ListId): readonly number[] {
  return watchlist(id)?.instruments ?? favourites.value;
}

const aFilter = oneOf('open', 'movers', 'volatility', 'favourites');
/*
 * The filter of the market list is kept in two values, because a page of a version without own
 * lists, open in another tab, resets what it doesn't know in the first.
 */
const category = stored('category', undefined, (value) => aFilter(value) ?? aNumber(value));
const inPlaceOfFavourites = stored('watchlist', undefined, aListId);

/** The filter of the market list. */
export const filter = computed<Filter>(() => {
  const own = inPlaceOfFavourites.value;
  return category.value === 'favourites' && own !== undefined && watchlist(own)
    ? own
    : category.value;
});

export function setFilter(next: Filter): void {
  batch(() => {
    if (isListId(next)) inPlaceOfFavourites.value = aListId(next);
    category.value = isListId(next) ? 'favourites' : next;
  });
}
