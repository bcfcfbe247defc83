import type { AccountFiguresRow } from '#domain/api/trading';
import type { AccountFigures } from '#domain/worker/trading';

/** The figures of the account that the page shows as the wire has them, with their names there. */
export const FIGURES = {
  lockBalance: 'lock_balance',
  marginInUse: 'caution_money',
  profit: 'fact_profits',
  netValue: 'net_value',
  freeBalance: 'free_balance',
} as const satisfies Partial<Record<keyof AccountFigures, keyof AccountFiguresRow>>;
