import type { MoneyKind } from '#domain/wallet/wallet';

/** `type` in the query of /mine/withdraw-way (screens.md#add-payout-method). */
export const METHOD_TYPES: Readonly<Record<MoneyKind, number>> = { coin: 1, bank: 2 };

/** The path of the screen that adds a payout method. `currencyId` preselects its currency. */
export function addMethodPath(kind: MoneyKind, currencyId?: number): string {
  const currency = currencyId === undefined ? '' : `&currency=${currencyId}`;
  return `/mine/withdraw-way?type=${METHOD_TYPES[kind]}${currency}`;
}
