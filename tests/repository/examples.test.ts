import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Decimal,
  divide,
  multiply,
  round,
  subtract,
  toDecimal,
  toText,
  ZERO,
} from '#domain/core/decimal';
import type { Lots, Multiplier, Price, Usd } from '#domain/core/units';
import { barStart } from '#domain/market/kline';
import { dailyProfit, redeemed, redemptionPenalty, totalProfit } from '#domain/mining/mining';
import {
  type Account,
  freeBalance,
  isStoppedOut,
  netValue,
  prepaymentRatio,
  riskRate,
} from '#domain/trading/accountFigures';
import { type Contract, fee, margin } from '#domain/trading/margin';
import type { Side } from '#domain/trading/order';
import { type Position, profit } from '#domain/trading/profit';
import { percentOfMargin, stopFromProfit } from '#domain/trading/stops';
import { previewTicket } from '#domain/trading/ticket';
import { approach } from '#domain/trading/triggers';
import { credit } from '#domain/wallet/deposit';
import { received, withdrawFee } from '#domain/wallet/withdraw';
import { root } from './tree';

/** A line of an `example` block in docs/domain.md: `name: terms = result`. */
interface Example {
  name: string;
  /** The numbers of the terms, in their order. */
  numbers: Decimal[];
  result: string;
}

const blocks = [
  ...readFileSync(join(root, 'docs/domain.md'), 'utf8').matchAll(/^```example\n([^`]*)^```/gm),
];
const examples = blocks.flatMap(([, block = '']) => block.trim().split('\n').map(readExample));

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
  unitsPerLot: toDecimal('1'),
  feeRate: ZERO as Usd,
  ...given,
});
const whole = (value: Decimal) => Number(toText(value));
const NO_PRICE = ZERO as Price;
const NO_MULTIPLIER = ZERO as Multiplier;

function account(balance: Decimal, profitOrLoss: Decimal, marginInUse: Decimal = ZERO): Account {
  return {
    balance: balance as Usd,
    profit: profitOrLoss as Usd,
    marginInUse: marginInUse as Usd,
  };
}

function position(side: Side, lots = ZERO, unitsPerLot = ZERO, fill = ZERO): Position {
  return { side, lots: lots as Lots, unitsPerLot, price: fill as Price };
}

function profitOf(side: Side, [price, fill, lots, unitsPerLot]: Decimal[]): Decimal {
  return profit(position(side, lots, unitsPerLot, fill), price as Price);
}

/** An account whose net value and margin in use are these. */
function withNetValue(net: Decimal, marginInUse: Decimal): Account {
  return account(subtract(net, marginInUse), ZERO, marginInUse);
}

type Computed = Decimal | string | undefined;

/** What the code computes of an example's numbers, rounded as domain.md#rounding says. */
const functions: Readonly<Record<string, (numbers: Decimal[]) => Computed>> = {
  'round, 2 decimals': ([value = ZERO]) => round(value, 2),
  change: ([price = ZERO, open = ZERO]) =>
    divide(multiply(subtract(price, open), toDecimal('100')), open, 2),
  'bar start, 15min': ([time = ZERO]) => String(barStart('15min', whole(time))),
  'bar start, 1day': ([time = ZERO]) => String(barStart('1day', whole(time))),
  approach: ([target, price]) => approach(target as Price, price as Price),
  'stop price': ([lots, unitsPerLot, price, usd = ZERO, precision = ZERO]) => {
    const held = position('buy', lots, unitsPerLot, price);
    return stopFromProfit({ ...held, margin: ZERO as Usd, precision: whole(precision) }, usd)
      ?.price;
  },
  'profit in percent of margin': ([usd, of]) => percentOfMargin(usd as Usd, of as Usd),
  'margin, leveraged': ([lots, unitsPerLot = ZERO, price, multiplier]) =>
    margin(contract({ unitsPerLot }), lots as Lots, price as Price, multiplier as Multiplier),
  'margin, fixed': ([lots, unitsPerLot = ZERO]) =>
    margin(contract({ marginMode: 'fixed', unitsPerLot }), lots as Lots, NO_PRICE, NO_MULTIPLIER),
  'fee, per lot': ([lots, feeRate]) =>
    fee(contract({ feeRate: feeRate as Usd }), 'per-lot', lots as Lots, NO_PRICE, NO_MULTIPLIER),
  'fee, rate': ([lots, unitsPerLot = ZERO, price, multiplier, feeRate]) =>
    fee(
      contract({ unitsPerLot, feeRate: feeRate as Usd }),
      'rate',
      lots as Lots,
      price as Price,
      multiplier as Multiplier,
    ),
  'profit, buy': (numbers) => profitOf('buy', numbers),
  'profit, sell': (numbers) => profitOf('sell', numbers),
  'point value': ([lots, unitsPerLot = ZERO, precision = ZERO]) =>
    previewTicket(
      {
        instrument: {
          ...contract({ unitsPerLot }),
          id: 1,
          code: 'A',
          name: 'A',
          logo: '',
          categoryId: 1,
          precision: whole(precision),
          lotStep: toDecimal('0.01') as Lots,
          minLots: toDecimal('0.01') as Lots,
          multipliers: [toDecimal('100') as Multiplier],
        },
        feeType: 'per-lot',
        type: 'market',
        side: 'buy',
        lots: lots as Lots,
        multiplier: toDecimal('100') as Multiplier,
        price: toDecimal('1') as Price,
        target: NO_PRICE,
      },
      { ...account(ZERO, ZERO), exposure: ZERO },
    ).pointValue,
  'net value': ([balance = ZERO, inUse = ZERO, floating = ZERO]) =>
    netValue(account(balance, floating, inUse)),
  'free balance': ([balance = ZERO, floating = ZERO]) => freeBalance(account(balance, floating)),
  'risk rate': ([inUse = ZERO, net = ZERO]) => riskRate(withNetValue(net, inUse)),
  'prepayment ratio': ([net = ZERO, inUse = ZERO]) => prepaymentRatio(withNetValue(net, inUse)),
  'stopped out': ([balance = ZERO, inUse = ZERO, floating = ZERO]) =>
    isStoppedOut(account(balance, floating, inUse)) ? 'yes' : 'no',
  'deposit credit': ([number = ZERO, usdPrice = ZERO]) => credit(number, usdPrice),
  'withdrawal fee, fixed': ([amount, rate = ZERO]) =>
    withdrawFee({ feeType: 'fixed', fee: rate, usdPrice: toDecimal('1') }, amount as Usd),
  'withdrawal fee, rate': ([amount, rate = ZERO]) =>
    withdrawFee({ feeType: 'rate', fee: rate, usdPrice: toDecimal('1') }, amount as Usd),
  received: ([amount, charged = ZERO, usdPrice = ZERO]) =>
    received({ feeType: 'fixed', fee: charged, usdPrice }, amount as Usd),
  'daily profit': ([percent = ZERO, amount]) => dailyProfit(percent, amount as Usd),
  'total profit': ([days = ZERO, daily]) => totalProfit(whole(days), daily as Usd),
  'redemption penalty': ([percent = ZERO, amount]) => redemptionPenalty(percent, amount as Usd),
  redeemed: ([amount, percent = ZERO]) => redeemed(percent, amount as Usd),
};

describe('worked examples of docs/domain.md', () => {
  it.each(examples)('$name = $result', ({ name, numbers, result }) => {
    const computed = functions[name]?.(numbers);
    if (typeof computed !== 'object') expect(computed).toBe(result);
    else expect(toText(computed)).toBe(toText(toDecimal(result)));
  });

  it('has an example of every function here', () => {
    const shown = new Set(examples.map(({ name }) => name));
    expect(Object.keys(functions).filter((name) => !shown.has(name))).toEqual([]);
  });
});
