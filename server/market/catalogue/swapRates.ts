import { toUsd } from '#domain/core/units';
import type { SwapTerms } from '#domain/market/instrument';

/** Yearly rates in percent of a position's value; negative is paid. */
interface YearlyRates {
  long: number;
  short: number;
}

/** A position in a currency pair earns the rate of what it holds and pays that of what it owes. Percent a year. */
const CURRENCIES: Readonly<Record<string, number>> = {
  USD: 4.25,
  EUR: 2,
  GBP: 4,
  JPY: 0.5,
  CHF: 0.25,
  AUD: 3.75,
  NZD: 3,
  CAD: 2.75,
};
/** Of any other one. */
const OTHER_CURRENCY = 3;
/** What the broker keeps on both sides. */
const MARKUP = 1;

/** By category, as of `Terms`. */
const CATEGORIES = {
  metals: { long: -6, short: 2 },
  crypto: { long: -18, short: -4 },
  indices: { long: -6.75, short: 1.75 },
  energy: { long: -5, short: -2 },
  stocks: { long: -7, short: 1 },
} as const satisfies Record<string, YearlyRates>;

/**
 * The weekday whose 00:00 UTC counts the weekend: currencies and metals are settled two working days later, the others when
 * the week's trading ends. Crypto trades at weekends.
 */
const TRIPLE = {
  forex: 4,
  metals: 4,
  indices: 6,
  energy: 6,
  stocks: 6,
  crypto: undefined,
} as const;

const DAYS = 365;
/** Nights that a triple one adds in a year. */
const ADDED = 104;

/** What a lot costs to hold over a night. `value`: of a lot, USD. */
export function swapTerms(category: keyof typeof TRIPLE, code: string, value: number): SwapTerms {
  const { long, short } = category === 'forex' ? pairRates(code) : CATEGORIES[category];
  const triple = TRIPLE[category];
  const nights = DAYS + (triple === undefined ? 0 : ADDED);
  const aNight = (percent: number) => toUsd(((value * percent) / 100 / nights).toFixed(2));
  return { long: aNight(long), short: aNight(short), triple };
}

function pairRates(code: string): YearlyRates {
  const rate = (currency: string) => CURRENCIES[currency] ?? OTHER_CURRENCY;
  const difference = rate(code.slice(0, 3)) - rate(code.slice(-3));
  return { long: difference - MARKUP, short: -difference - MARKUP };
}
