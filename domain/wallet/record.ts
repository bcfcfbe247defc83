import type { UnixMs, Usd } from '../core/units';

/** §3 Financial record: one movement of the available balance. */
export interface FinancialRecord {
  id: number;
  /** USD; negative where it left the balance. */
  value: Usd;
  type: number;
  /** What happened, in the user's language: the memo of type 10, otherwise its translation (§2, /mine/history). */
  text: string;
  createdAt: UnixMs | undefined;
}
