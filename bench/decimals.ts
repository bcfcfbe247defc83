import BigJs from 'big.js';
import { BigNumber } from 'bignumber.js';
import { Decimal as DecimalJs } from 'decimal.js';
import { toFixed } from '#domain/core/decimal';
import { toFeeRate, toLeverage, toLots, toPrice, toUnitsPerLot } from '#domain/core/units';
import { type Contract, fee, margin } from '#domain/trading/margin';
import { randomFrom } from '#domain/workload/draws';
import { compare, type Outcome } from './lib/measure';

interface Ticket {
  lots: string;
  units: string;
  price: string;
  leverage: string;
  rate: string;
}

/** Typical tickets: 0.01 to 50 lots, five-digit prices, common multipliers. */
function tickets(count: number, seed: number): Ticket[] {
  const random = randomFrom(seed);
  const leverages = ['10', '20', '50', '100', '200', '500'];
  return Array.from({ length: count }, () => ({
    lots: (Math.ceil(random() * 5000) / 100).toFixed(2),
    units: '100000',
    price: (0.5 + random()).toFixed(5),
    leverage: leverages[Math.floor(random() * leverages.length)] ?? '100',
    rate: '0.015',
  }));
}

/** Margin and fee of each ticket, exact, from text to text, rounded half away from zero to cents. */
export function decimals(rounds: number, seed: number): Outcome {
  const input = tickets(500, seed);
  BigNumber.config({ ROUNDING_MODE: BigNumber.ROUND_HALF_UP, DECIMAL_PLACES: 40 });
  DecimalJs.set({ rounding: DecimalJs.ROUND_HALF_UP, precision: 40 });
  BigJs.RM = BigJs.roundHalfUp;
  BigJs.DP = 40;
  return compare(
    'decimals',
    `margin and fee of ${input.length} tickets, text to text`,
    [
      {
        name: 'decimal.js',
        run: () =>
          input.map((t) => {
            const exact = new DecimalJs(t.lots).mul(t.units).mul(t.price).div(t.leverage);
            return [exact.toFixed(2), exact.mul(t.rate).toFixed(2)];
          }),
      },
      {
        name: 'Fulcrum domain/margin',
        run: () =>
          input.map((t) => {
            const contract: Contract = {
              unitsPerLot: toUnitsPerLot(t.units),
              marginMode: 'leveraged',
              feeRate: toFeeRate(t.rate) as Contract['feeRate'],
            };
            const lots = toLots(t.lots);
            const price = toPrice(t.price);
            const leverage = toLeverage(t.leverage);
            return [
              toFixed(margin(contract, lots, price, leverage), 2),
              toFixed(fee(contract, 'rate', lots, price, leverage), 2),
            ];
          }),
      },
      {
        name: 'big.js',
        run: () =>
          input.map((t) => {
            const exact = new BigJs(t.lots).times(t.units).times(t.price).div(t.leverage);
            return [exact.toFixed(2), exact.times(t.rate).toFixed(2)];
          }),
      },
      {
        name: 'bignumber.js',
        run: () =>
          input.map((t) => {
            const exact = new BigNumber(t.lots).times(t.units).times(t.price).div(t.leverage);
            return [exact.toFixed(2), exact.times(t.rate).toFixed(2)];
          }),
      },
    ],
    { rounds, seed },
  );
}
