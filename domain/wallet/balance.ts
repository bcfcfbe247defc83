import type { Usd } from '../core/units';

/** domain.md#balance */
export interface Balance {
  balance: Usd;
  /** Frozen. */
  lockBalance: Usd;
}
