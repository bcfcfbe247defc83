import type { OrderStatus } from '#domain/trading/order';

/** The tabs of /order in their order, and their `type` in the query (screens.md#orders). */
export const TABS = [
  { type: 1, status: 'holding' },
  { type: 0, status: 'pending' },
  { type: 3, status: 'closed' },
] as const satisfies readonly { type: number; status: OrderStatus }[];

/** The tab of a `type`; holding where it names none. */
export function tabOf(type: string | null): (typeof TABS)[number] {
  return TABS.find((tab) => String(tab.type) === type) ?? TABS[0];
}
