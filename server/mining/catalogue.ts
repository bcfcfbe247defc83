import { type Percent, toPercent, toUsd, type Usd } from '#domain/core/units';

/**
 * A fund that the broker offers. Its texts are under `server.fund` in locales/. Ids are permanent:
 * subscriptions refer to them.
 */
export interface OfferedFund {
  id: number;
  key: FundKey;
  currency: 'USD' | 'USDT';
  lockDays: number;
  /** Percent of the amount for each day. */
  dividendPercentage: Percent;
  minAmount: Usd;
  /** 0 means no maximum. */
  maxAmount: Usd;
  /** Percent of the amount. */
  liquidatedDamages: Percent;
}

type FundKey = 'week' | 'month' | 'quarter' | 'half' | 'year' | 'treasury' | 'harvest';

/** The funds of the sandbox. */
export const SANDBOX_FUNDS: readonly OfferedFund[] = [
  fund(7, 'week', 'USDT', 7, '0.012', '10', '5000', '0.5'),
  fund(6, 'month', 'USDT', 30, '0.018', '50', '20000', '1'),
  fund(5, 'treasury', 'USD', 60, '0.014', '100', '100000', '0.75'),
  fund(4, 'quarter', 'USDT', 90, '0.0225', '100', '50000', '2'),
  fund(3, 'half', 'USD', 180, '0.0265', '500', '100000', '3'),
  fund(2, 'harvest', 'USDT', 270, '0.0295', '1000', '150000', '4'),
  fund(1, 'year', 'USD', 365, '0.0325', '1000', '250000', '5'),
];

function fund(
  id: number,
  key: FundKey,
  currency: OfferedFund['currency'],
  lockDays: number,
  dividendPercentage: string,
  minAmount: string,
  maxAmount: string,
  liquidatedDamages: string,
): OfferedFund {
  return {
    id,
    key,
    currency,
    lockDays,
    dividendPercentage: toPercent(dividendPercentage),
    minAmount: toUsd(minAmount),
    maxAmount: toUsd(maxAmount),
    liquidatedDamages: toPercent(liquidatedDamages),
  };
}
