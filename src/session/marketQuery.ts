import { computed } from '@preact/signals-core';
import type { ListQuery } from '#domain/market/list';
import { category, descending, type Filter, favourites, sort } from './preferences';

/** What of a query a filter decides. */
export function filterQuery(filter: Filter): Partial<ListQuery> {
  if (filter === undefined) return {};
  if (filter === 'open') return { open: true };
  return filter === 'favourites' ? { onlyFavourites: true } : { categoryId: filter };
}

/** The query of the market list by the user's choices. main.tsx sends it before React starts. */
export const marketQuery = computed<ListQuery>(() => ({
  ...filterQuery(category.value),
  sort: sort.value,
  descending: descending.value,
  favourites: favourites.value,
}));
