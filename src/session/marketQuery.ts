import { computed } from '@preact/signals-core';
import type { ListQuery } from '#domain/gateway/gateway';
import { category, descending, favourites, sort } from './preferences';

/** What the market list shows, by the user's choices. Asked for before React is there (main.tsx). */
export const marketQuery = computed<ListQuery>(() => ({
  ...(category.value !== undefined && { categoryId: category.value }),
  sort: sort.value,
  descending: descending.value,
  favourites: favourites.value,
}));
