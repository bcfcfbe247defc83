import type { MoneyKind } from '#domain/wallet/wallet';

/** `type` of /mine/withdraw-way (§2). */
export const WAYS: Readonly<Record<MoneyKind, number>> = { coin: 1, bank: 2 };

/** Where an address or account is added, for a currency where one is chosen. */
export function wayTo(kind: MoneyKind, currencyId?: number): string {
  const currency = currencyId === undefined ? '' : `&currency=${currencyId}`;
  return `/mine/withdraw-way?type=${WAYS[kind]}${currency}`;
}
