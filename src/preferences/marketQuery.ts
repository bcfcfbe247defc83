import { computed } from '@preact/signals-core';
import type { ListQuery } from '#domain/market/list';
import { descending, favourites, sort } from './preferences';
import { type Filter, filter, instrumentsOf, isListId } from './watchlists';

/** What of a query a filter decides. */
export function filterQuery(chosen: Filter): Partial<ListQuery> {
  if (chosen === undefined) return {};
  if (chosen === 'open') return { open: true };
  return isListId(chosen) ? { only: instrumentsOf(chosen) } : { categoryId: chosen };
}

/** The query of the market list by the user's choices. main.tsx sends it before React starts. */
export const marketQuery = computed<ListQuery>(() => ({
  ...filterQuery(filter.value),
  sort: sort.value,
  descending: descending.value,
  favourites: favourites.value,
}));

/** Whether a query has the order that the server gives to new visitors. */
export function isPlainQuery({ sort, favourites, only, open, categoryId }: ListQuery): boolean {
  return (
    sort === 'default' && favourites.length === 0 && !only && !open && categoryId === undefined
  );
}
