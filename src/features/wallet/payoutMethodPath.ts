import { MONEY_TYPES, type MoneyKind } from '#domain/wallet/wallet';

/** The path of the screen that adds a payout method. `currencyId` preselects its currency. */
export function addMethodPath(kind: MoneyKind, currencyId?: number): string {
  const currency = currencyId === undefined ? '' : `&currency=${currencyId}`;
  return `/mine/withdraw-way?type=${MONEY_TYPES[kind]}${currency}`;
}
