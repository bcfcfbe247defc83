import type { Period } from '#domain/market/period';
import { breakout, meanReversion, momentum, type Strategy } from './strategies';

/** Name and rule of a strategy account. */
export interface TraderProfile {
  /** Permanent: the account is found by it. */
  key: string;
  /** Shown name, the same in all languages. */
  name: string;
  /** The instrument to trade; where it is not listed, another one takes its place. */
  code: string;
  period: Period;
  strategy: Strategy;
}

/** The strategy accounts of the sandbox. The ranking lists no customers: none has agreed to it. */
export const TRADER_PROFILES: readonly TraderProfile[] = [
  profile('tidewatch', 'Tidewatch', 'EURUSD', '5min', momentum(9, 30)),
  profile('comet', 'Comet Trail', 'BTCUSD', '1min', momentum(8, 34)),
  profile('pendulum', 'Pendulum', 'ETHUSD', '1min', meanReversion(30, 1.8)),
  profile('lighthouse', 'Lighthouse', 'XAUUSD', '5min', breakout(24)),
  profile('keel', 'Even Keel', 'GBPUSD', '5min', meanReversion(40, 2)),
  profile('meridian', 'Meridian', 'SOLUSD', '1min', breakout(30)),
  profile('derrick', 'Derrick', 'WTI', '15min', momentum(6, 20)),
  profile('quarry', 'Silver Quarry', 'XAGUSD', '15min', meanReversion(24, 1.8)),
  profile('belltower', 'Bell Tower', 'US500', '5min', breakout(18)),
  profile('glacier', 'Slow Glacier', 'USDJPY', '30min', momentum(12, 36)),
  profile('sparrow', 'Sparrow', 'DOGEUSD', '5min', meanReversion(20, 1.6)),
  profile('caravan', 'Caravan', 'XRPUSD', '15min', breakout(16)),
];

function profile(
  key: string,
  name: string,
  code: string,
  period: Period,
  strategy: Strategy,
): TraderProfile {
  return { key, name, code, period, strategy };
}
