import type { OrderStatus } from '#domain/trading/order';

/** The tabs of /order and their `type` in the query (screens.md#orders), in the order in which they stand. */
export const TABS = [
  { type: 1, status: 'holding' },
  { type: 0, status: 'pending' },
  { type: 3, status: 'closed' },
] as const satisfies readonly { type: number; status: OrderStatus }[];

/** The tab of a query; holding where it names none. */
export function tabOf(type: string | null): (typeof TABS)[number] {
  return TABS.find((tab) => String(tab.type) === type) ?? TABS[0];
}
