import type { AccountSummaryRow } from '#domain/api/trading';
import type { AccountSummary } from '#domain/worker/trading';

/** The summary of the account that the page shows as the wire has them, with their names there. */
export const SUMMARY = {
  lockBalance: 'lock_balance',
  marginInUse: 'caution_money',
  profit: 'fact_profits',
  equity: 'net_value',
  available: 'free_balance',
} as const satisfies Partial<Record<keyof AccountSummary, keyof AccountSummaryRow>>;
