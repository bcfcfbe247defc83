import type { Period } from '#domain/market/kline';
import { breakout, meanReversion, momentum, type Strategy } from './strategies';

/** A trading account of the house. */
export interface Listed {
  /** For good: its account is found by it. */
  key: string;
  /** A name, the same in all languages. */
  name: string;
  /** What it trades where that is listed; otherwise whatever stands in its place. */
  code: string;
  period: Period;
  strategy: Strategy;
}

/** Who trades on the sandbox's market (D57). */
export const ROSTER: readonly Listed[] = [
  listed('tidewatch', 'Tidewatch', 'EURUSD', '5min', momentum(9, 30)),
  listed('comet', 'Comet Trail', 'BTCUSD', '1min', momentum(8, 34)),
  listed('pendulum', 'Pendulum', 'ETHUSD', '1min', meanReversion(30, 1.8)),
  listed('lighthouse', 'Lighthouse', 'XAUUSD', '5min', breakout(24)),
  listed('keel', 'Even Keel', 'GBPUSD', '5min', meanReversion(40, 2)),
  listed('meridian', 'Meridian', 'SOLUSD', '1min', breakout(30)),
  listed('derrick', 'Derrick', 'WTI', '15min', momentum(6, 20)),
  listed('quarry', 'Silver Quarry', 'XAGUSD', '15min', meanReversion(24, 1.8)),
  listed('belltower', 'Bell Tower', 'US500', '5min', breakout(18)),
  listed('glacier', 'Slow Glacier', 'USDJPY', '30min', momentum(12, 36)),
  listed('sparrow', 'Sparrow', 'DOGEUSD', '5min', meanReversion(20, 1.6)),
  listed('caravan', 'Caravan', 'XRPUSD', '15min', breakout(16)),
];

function listed(
  key: string,
  name: string,
  code: string,
  period: Period,
  strategy: Strategy,
): Listed {
  return { key, name, code, period, strategy };
}
