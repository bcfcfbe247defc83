import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Decimal,
  multiply,
  negate,
  quotient,
  round,
  subtract,
  toDecimal,
  toNumber,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import {
  toCurrencyAmount,
  toFeeRate,
  toLeverage,
  toLots,
  toPercent,
  toPrice,
  toUnits,
  toUnitsPerLot,
  toUsd,
  toUsdRate,
  type Usd,
} from '#domain/core/units';
import { type ColumnIndicator, columnValue } from '#domain/indicators/columns';
import { pivotLevels } from '#domain/indicators/sessions';
import { barStart } from '#domain/market/kline';
import { volatility } from '#domain/market/volatility';
import {
  dailyProfit,
  redeemed,
  redemptionPenalty,
  totalProfit,
  yearlyRate,
} from '#domain/mining/mining';
import {
  type AccountTotals,
  accountBalance,
  available,
  equity,
  isStoppedOut,
  marginLevel,
  riskRate,
} from '#domain/trading/accountSummary';
import { isCrossed } from '#domain/trading/alert';
import { exitFromProfit, percentOfMargin } from '#domain/trading/exits';
import { fillPrice } from '#domain/trading/fill';
import { type Contract, fee, margin, shareOf } from '#domain/trading/margin';
import { netPosition } from '#domain/trading/netPosition';
import { pointValue } from '#domain/trading/notional';
import type { Side } from '#domain/trading/order';
import { netResult, type Position, profit } from '#domain/trading/profit';
import {
  largestDrawdown,
  profitFactor,
  type ResultTotals,
  totalsOf,
  winRate,
} from '#domain/trading/results';
import { MAX_LOTS } from '#domain/trading/rules';
import { stopOutPrice } from '#domain/trading/stopOut';
import { swapAt } from '#domain/trading/swap';
import { lotsAtRisk, rewardToRisk, riskAt, riskPercent } from '#domain/trading/tradeRisk';
import { approach, followedStop, pendingKind } from '#domain/trading/triggers';
import { credit } from '#domain/wallet/deposit';
import { received, withdrawFee } from '#domain/wallet/withdraw';
import { EXAMPLES } from './examples';
import { generated } from './generated';
import { root } from './tree';

interface Example {
  name: string;
  /** The numbers of the terms, in their order. */
  numbers: Decimal[];
  result: string;
}

const examples = Object.values(EXAMPLES).flat().map(readExample);

function kindOf(side: Side, [target = NONE, price = NONE]: Decimal[]) {
  const from = approach(toPrice(target), toPrice(price));
  return from && pendingKind(side, from);
}

function readExample(line: string): Example {
  const [, name = '', terms = '', result = ''] = /^(.+?): (.+) = (.+)$/.exec(line) ?? [];
  // A minus that stands before a space is the operator.
  const numbers = terms.match(/-?\d[\d,]*(\.\d+)?/g) ?? [];
  return {
    name,
    numbers: numbers.map((text) => toDecimal(text.replaceAll(',', ''))),
    result: result.replaceAll(',', ''),
  };
}

const contract = (given: Partial<Contract>): Contract => ({
  marginMode: 'leveraged',
  unitsPerLot: toUnitsPerLot('1'),
  feeRate: ZERO,
  ...given,
});
const whole = (value: Decimal) => Number(toText(value));
const NONE: Decimal = ZERO;
const THURSDAY = 4;

function account(balance: Usd, profitOrLoss: Usd, marginInUse: Usd = ZERO): AccountTotals {
  return { balance, profit: profitOrLoss, marginInUse };
}

function entryOf(
  side: Side,
  [lots = NONE, price = NONE, otherLots = NONE, otherPrice = NONE]: Decimal[],
): Decimal {
  const held = { margin: ZERO, fee: ZERO, swap: ZERO };
  const { entry } = netPosition([
    { ...held, side: 'buy', lots: toLots(lots), price: toPrice(price) },
    { ...held, side, lots: toLots(otherLots), price: toPrice(otherPrice) },
  ]);
  return entry ?? ZERO;
}

function profitOf(side: Side, [price, fill, lots, unitsPerLot]: Decimal[]): Decimal {
  return profit(position(side, lots, unitsPerLot, fill), toPrice(price ?? ZERO));
}

function position(side: Side, lots = NONE, unitsPerLot = NONE, fill = NONE): Position {
  return {
    side,
    lots: toLots(lots),
    unitsPerLot: toUnitsPerLot(unitsPerLot),
    price: toPrice(fill),
  };
}

function columnOf(kind: ColumnIndicator, close: Decimal, lines: Decimal[]): string {
  return String(Number(columnValue(kind, whole(close), lines.map(whole)).toFixed(8)));
}

const totals = (given: Partial<ResultTotals>): ResultTotals => ({ ...totalsOf([]), ...given });

/** An account whose equity and margin in use are these. */
function withEquity(net: Usd, marginInUse: Usd): AccountTotals {
  return account(subtract(net, marginInUse), ZERO, marginInUse);
}

type Computed = Decimal | string | undefined;

/** What the code computes of an example's numbers, rounded as domain.md#rounding says. */
const functions: Readonly<Record<string, (numbers: Decimal[]) => Computed>> = {
  'round, 2 decimals': ([value = NONE]) => round(value, 2),
  change: ([price = NONE, open = NONE]) =>
    quotient(multiply(subtract(price, open), toDecimal('100')), open, 2),
  'bar start, 15min': ([time = NONE]) => String(barStart('15min', toUnixSeconds(whole(time)))),
  'bar start, 240min': ([time = NONE]) => String(barStart('240min', toUnixSeconds(whole(time)))),
  'bar start, 1week': ([time = NONE]) => String(barStart('1week', toUnixSeconds(whole(time)))),
  'bar start, 1month': ([time = NONE]) => String(barStart('1month', toUnixSeconds(whole(time)))),
  'bar start, 1day': ([time = NONE]) => String(barStart('1day', toUnixSeconds(whole(time)))),
  volatility: ([one = NONE, other = NONE, price = NONE]) =>
    String(Number(volatility([toNumber(one), toNumber(other)], toNumber(price)).toFixed(3))),
  'column of ATR': ([atr = NONE, close = NONE]) => columnOf('atr', close, [atr]),
  'column of an average': ([close = NONE, average = NONE]) => columnOf('sma', close, [average]),
  'column of MACD': (lines) => columnOf('macd', NONE, lines),
  'pivots, classic': (numbers) => {
    const [high = 0, low = 0, close = 0] = numbers.map(whole);
    return pivotLevels(high, low, close)
      .map((level) => Number(level.toFixed(5)))
      .join(' ');
  },
  approach: ([target = NONE, price = NONE]) => approach(toPrice(target), toPrice(price)),
  'pending buy': (numbers) => kindOf('buy', numbers),
  'pending sell': (numbers) => kindOf('sell', numbers),
  'stop price': ([lots, unitsPerLot, price, usd = NONE, precision = NONE]) => {
    const held = position('buy', lots, unitsPerLot, price);
    return exitFromProfit({ ...held, margin: ZERO, precision: whole(precision) }, toUsd(usd))
      ?.price;
  },
  'profit in percent of margin': ([usd = NONE, of = NONE]) =>
    percentOfMargin(toUsd(usd), toUsd(of)),
  'margin, leveraged': ([lots = NONE, unitsPerLot = NONE, price = NONE, leverage = NONE]) =>
    margin(
      contract({ unitsPerLot: toUnitsPerLot(unitsPerLot) }),
      toLots(lots),
      toPrice(price),
      toLeverage(leverage),
    ),
  'margin, fixed': ([lots = NONE, unitsPerLot = NONE]) =>
    margin(
      contract({ marginMode: 'fixed', unitsPerLot: toUnitsPerLot(unitsPerLot) }),
      toLots(lots),
      ZERO,
      ZERO,
    ),
  'alert, rise': ([level = NONE, price = NONE]) =>
    isCrossed(toPrice(level), 'rise', toPrice(price)) ? 'yes' : 'no',
  'alert, fall': ([level = NONE, price = NONE]) =>
    isCrossed(toPrice(level), 'fall', toPrice(price)) ? 'yes' : 'no',
  'trailing stop': ([trailing = NONE, stopLoss = NONE, price = NONE]) =>
    followedStop(
      { side: 'buy', stopLoss: toPrice(stopLoss), trailing: toPrice(trailing) },
      toPrice(price),
    ),
  'share of a partial close': ([amount = NONE, part = NONE, lots = NONE]) =>
    shareOf(toUsd(amount), toLots(part), toLots(lots)),
  'fee, per lot': ([lots = NONE, feeRate = NONE]) =>
    fee(contract({ feeRate: toFeeRate(feeRate) }), 'per-lot', toLots(lots), ZERO, ZERO),
  'fee, rate': ([lots = NONE, unitsPerLot = NONE, price = NONE, leverage = NONE, rate = NONE]) =>
    fee(
      contract({ unitsPerLot: toUnitsPerLot(unitsPerLot), feeRate: toFeeRate(rate) }),
      'rate',
      toLots(lots),
      toPrice(price),
      toLeverage(leverage),
    ),
  'profit, buy': (numbers) => profitOf('buy', numbers),
  'profit of a buy at the ask': ([bid = NONE, ask = NONE, latest = NONE, lots, units]) => {
    const book = { bid: toNumber(bid), ask: toNumber(ask) };
    return profitOf('buy', [
      latest,
      fillPrice('buy', toPrice(latest), book),
      lots,
      units,
    ] as Decimal[]);
  },
  'profit, sell': (numbers) => profitOf('sell', numbers),
  'net result': ([earned = NONE, paid = NONE, swap = NONE]) =>
    netResult({
      price: toPrice(1),
      profit: toUsd(earned),
      fee: toUsd(paid),
      swap: negate(toUsd(swap)),
    }),
  swap: ([lots = NONE, rate = NONE, nights = NONE]) => {
    const triple = whole(nights) === 3 ? THURSDAY : undefined;
    const terms = { long: toUsd(rate), short: ZERO, triple };
    return swapAt(terms, 'buy', toLots(lots), toUnixMs(Date.UTC(2026, 11, 3)));
  },
  'average entry, two buys': (terms) => entryOf('buy', terms),
  'average entry, a buy and a sell': (terms) => entryOf('sell', terms),
  'point value': ([lots = NONE, unitsPerLot = NONE, precision = NONE]) =>
    pointValue(toLots(lots), toUnitsPerLot(unitsPerLot), whole(precision)),
  risk: ([lots, unitsPerLot, price, stopLoss = NONE]) =>
    riskAt(position('buy', lots, unitsPerLot, price), toPrice(stopLoss)),
  'risk in percent of the equity': ([risk = NONE, net = NONE]) =>
    riskPercent(toUsd(risk), toUsd(net)),
  'reward to risk': ([lots, unitsPerLot, price, risk = NONE, takeProfit = NONE]) =>
    rewardToRisk(position('buy', lots, unitsPerLot, price), toUsd(risk), toPrice(takeProfit)),
  'lots at risk': ([net = NONE, units = NONE, step = NONE, price = NONE, stopLoss = NONE]) => {
    const sizes = {
      unitsPerLot: toUnitsPerLot(units),
      lotStep: toLots(step),
      minLots: toLots(step),
    };
    return lotsAtRisk(sizes, toPrice(price), toPrice(stopLoss), toUsd(net), MAX_LOTS);
  },
  'account balance': ([balance = NONE, inUse = NONE]) =>
    accountBalance(account(toUsd(balance), ZERO, toUsd(inUse))),
  equity: ([balance = NONE, inUse = NONE, floating = NONE]) =>
    equity(account(toUsd(balance), toUsd(floating), toUsd(inUse))),
  'available balance': ([balance = NONE, floating = NONE]) =>
    available(account(toUsd(balance), toUsd(floating))),
  'risk rate': ([inUse = NONE, net = NONE]) => riskRate(withEquity(toUsd(net), toUsd(inUse))),
  'margin level': ([net = NONE, inUse = NONE]) => marginLevel(withEquity(toUsd(net), toUsd(inUse))),
  'stop-out price, 5 decimals': ([
    balance = NONE,
    inUse = NONE,
    floating = NONE,
    units = NONE,
    at = NONE,
  ]) =>
    stopOutPrice(
      { ...account(toUsd(balance), toUsd(floating), toUsd(inUse)), exposure: toUnits(units) },
      toPrice(at),
      5,
    ),
  'stopped out': ([balance = NONE, inUse = NONE, floating = NONE]) =>
    isStoppedOut(account(toUsd(balance), toUsd(floating), toUsd(inUse))) ? 'yes' : 'no',
  'win rate': ([won = NONE, lost = NONE]) =>
    winRate(totals({ won: whole(won), lost: whole(lost) }), 2),
  'profit factor': ([gain = NONE, loss = NONE]) =>
    profitFactor(totals({ gain: toUsd(gain), loss: negate(toUsd(loss)) })),
  'largest drawdown': (nets) =>
    largestDrawdown(
      nets.map((profit) => ({ price: toPrice(1), profit: toUsd(profit), fee: ZERO, swap: ZERO })),
    ),
  'deposit credit': ([number = NONE, usdPrice = NONE]) =>
    credit(toCurrencyAmount(number), toUsdRate(usdPrice)),
  'withdrawal fee, fixed': ([amount = NONE, fee = NONE]) =>
    withdrawFee({ feeType: 'fixed', fee, usdPrice: toUsdRate(1) }, toUsd(amount)),
  'withdrawal fee, rate': ([amount = NONE, fee = NONE]) =>
    withdrawFee({ feeType: 'rate', fee, usdPrice: toUsdRate(1) }, toUsd(amount)),
  received: ([amount = NONE, fee = NONE, usdPrice = NONE]) =>
    received({ feeType: 'fixed', fee, usdPrice: toUsdRate(usdPrice) }, toUsd(amount)),
  'daily profit': ([percent = NONE, amount = NONE]) =>
    dailyProfit(toPercent(percent), toUsd(amount)),
  'yearly rate': ([percent = NONE]) => yearlyRate(toPercent(percent)),
  'total profit': ([days = NONE, daily = NONE]) => totalProfit(whole(days), toUsd(daily)),
  'redemption penalty': ([percent = NONE, amount = NONE]) =>
    redemptionPenalty(toPercent(percent), toUsd(amount)),
  redeemed: ([amount = NONE, percent = NONE]) => redeemed(toPercent(percent), toUsd(amount)),
};

describe('docs/examples.md', () => {
  it.each(examples)('$name = $result', ({ name, numbers, result }) => {
    const computed = functions[name]?.(numbers);
    if (typeof computed !== 'object') expect(computed).toBe(result);
    else expect(toText(computed)).toBe(toText(toDecimal(result)));
  });

  it('is generated from the examples', async () => {
    const sections = Object.entries(EXAMPLES).map(([rule, lines]) => {
      const [, slug = ''] = rule.split('#');
      return `## [${slug.replaceAll('-', ' ')}](${rule})\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
    });
    const self = 'tests/repository/examples.test.ts';
    await expect(generated(self, 'Worked examples', sections.join('\n\n'))).toMatchFileSnapshot(
      join(root, 'docs', 'examples.md'),
    );
  });

  it('has an example of every function here', () => {
    const shown = new Set(examples.map(({ name }) => name));
    expect(Object.keys(functions).filter((name) => !shown.has(name))).toEqual([]);
  });
});
