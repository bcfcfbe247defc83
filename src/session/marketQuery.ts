import { computed } from '@preact/signals-core';
import type { ListQuery } from '#domain/market/list';
import { category, descending, favourites, sort } from './preferences';

/** The query of the market list by the user's choices. main.tsx sends it before React starts. */
export const marketQuery = computed<ListQuery>(() => ({
  ...(category.value === 'open' && { open: true }),
  ...(typeof category.value === 'number' && { categoryId: category.value }),
  sort: sort.value,
  descending: descending.value,
  favourites: favourites.value,
}));
