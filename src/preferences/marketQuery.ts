import { computed } from '@preact/signals-core';
import type { ListQuery } from '#domain/market/list';
import { descending, favourites, sort } from './preferences';
import { type Filter, filter, instrumentsOf, isListId } from './watchlists';

/** The query of a filter. Movers and the most volatile have an order of their own, as long as the user asks for no other. */
export function filtered(
  chosen: Filter,
  order: Pick<ListQuery, 'sort' | 'descending' | 'favourites'>,
): ListQuery {
  if (chosen === undefined) return order;
  if (isListId(chosen)) return { only: instrumentsOf(chosen), ...order };
  if (typeof chosen === 'number') return { categoryId: chosen, ...order };
  const ranked = chosen !== 'open' && order.sort === 'default';
  const by = chosen === 'movers' ? 'change' : 'volatility';
  return { open: true, ...order, ...(ranked && { sort: by, descending: true, ranked }) };
}

/** The query of the market list by the user's choices. main.tsx sends it before React starts. */
export const marketQuery = computed<ListQuery>(() =>
  filtered(filter.value, {
    sort: sort.value,
    descending: descending.value,
    favourites: favourites.value,
  }),
);

/** Whether a query has the order that the server gives to new visitors. */
export function isPlainQuery({ sort, favourites, only, open, categoryId }: ListQuery): boolean {
  return (
    sort === 'default' && favourites.length === 0 && !only && !open && categoryId === undefined
  );
}
