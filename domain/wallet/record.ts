import type { UnixMs } from '../core/time';
import type { Usd } from '../core/units';

/** One movement of the available balance (domain.md#financial-records). */
export interface FinancialRecord {
  id: number;
  /** USD; negative where the balance decreased. */
  value: Usd;
  type: number;
  /** What happened, in the user's language: the memo of type 10, otherwise its translation (domain.md#financial-records). */
  text: string;
  createdAt: UnixMs | undefined;
}
