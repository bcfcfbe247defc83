/** The trading calls (protocol.md#trading-calls) and the row of an order. */
import * as v from 'valibot';
import { sign, ZERO } from '../core/decimal';
import { readText } from '../core/read';
import { readLeverage, readLots, readPrice, readUsd } from '../core/readAmounts';
import { toUnixMs } from '../core/time';
import { type Lots, toLeverage, toLots, toPrice, type Usd } from '../core/units';
import { CLOSE_REASONS, type CloseReason, type OrderStatus } from '../trading/order';
import { type Asked, call } from './call';
import {
  amount,
  amountOrZero,
  choice,
  code,
  DECIMAL,
  INTEGER,
  id,
  list,
  moment,
  optional,
  optionalTime,
  pageOf,
  text,
  time,
  whole,
} from './fields';
import * as params from './params';
import { lenient, object, type Read, type Sent, value } from './schema';

/** Numbers of the states of an order (domain.md#order-states). */
export const STATUS_NUMBERS = { pending: 0, holding: 1, closed: 3 } as const satisfies Record<
  OrderStatus,
  number
>;

const STATUSES = new Map<number, OrderStatus>(
  Object.entries(STATUS_NUMBERS).map(([status, number]) => [number, status as OrderStatus]),
);
const BUY = 1;
const MOST_DECIMALS = 18;

/** Undefined where the server does not say. */
const precision = v.pipe(
  lenient(whole, undefined),
  v.transform((sent) => sent && Math.min(Math.max(sent, 0), MOST_DECIMALS)),
);

const lots = amount((sent): Lots | undefined => {
  const lots = readLots(sent);
  return lots && sign(lots) > 0 ? lots : undefined;
});

/** Null where it is sent and can't be read. */
const profit = lenient(
  value<string, Usd | null>(DECIMAL, (sent) => readUsd(sent) ?? (sent ? null : ZERO)),
  ZERO,
);

/** Fields that money depends on are needed; parts of ForexTradeLists may be missing. */
export const order = v.pipe(
  v.object({
    Id: id,
    /** The instrument; `Id` 0: not listed. A client finds missing parts by `Code`, else `ShowCode`. */
    ForexTradeLists: object({
      Id: lenient(whole, undefined),
      Code: text,
      ShowCode: text,
      PricePrecision: precision,
    }),
    /** 1 buy, any other sell. */
    OrderType: code(BUY, 2),
    /** Lots. */
    Quantity: lots,
    /** 0 with fixed margin. */
    Multiple: amountOrZero(readLeverage),
    /** The target, or the quote seen. */
    OriginPrice: amountOrZero(readPrice),
    /** The fill; 0 while pending. */
    Price: amountOrZero(readPrice),
    /** The latest price, or the closing price. */
    UpdatePrice: amountOrZero(readPrice),
    /** The profit; fee and swap are apart. */
    FactProfits: profit,
    /** The margin. */
    CautionMoney: amount(readUsd),
    TradeFee: amountOrZero(readUsd),
    /** Where the server has `swap`: what its nights have been charged in all, USD, negative is paid. */
    Swap: optional(amount(readUsd)),
    /** The stop-loss; 0: none. */
    TargetLossPrice: amountOrZero(readPrice),
    /** The take-profit; 0: none. */
    TargetProfitPrice: amountOrZero(readPrice),
    /** Where the server has `trailing_stop`: the distance of the stop-loss; 0: none. */
    Trailing: optional(amount(readPrice)),
    /** Where the server has `expiry`: when the pending order expires, unix ms of the market clock; 0: never. */
    Until: v.exactOptional(moment<number>(INTEGER)),
    /** 0 pending, 1 holding, 3 closed. */
    Status: v.pipe(
      code(0, 1, 3),
      v.transform((number) => STATUSES.get(number)),
    ),
    CreateTimeHandler: time,
    /** Empty while the order is open. */
    CompleteTimeHandler: optionalTime,
    CloseReason: choice<CloseReason>(['', ...CLOSE_REASONS]),
  }),
  v.title('Order'),
  v.rawTransform(({ dataset: { value: sent }, addIssue, NEVER }) => {
    const { ForexTradeLists: listed, Status: status, Price: price, FactProfits: profit } = sent;
    const isWithoutFill = status === 'holding' && sign(price) <= 0;
    if (!status || isWithoutFill || (status === 'closed' && !profit)) {
      addIssue();
      return NEVER;
    }
    return {
      id: sent.Id,
      instrumentId: listed.Id,
      code: listed.Code,
      name: listed.ShowCode || listed.Code,
      precision: listed.PricePrecision,
      side: sent.OrderType === BUY ? ('buy' as const) : ('sell' as const),
      lots: sent.Quantity,
      leverage: sent.Multiple,
      originPrice: sent.OriginPrice,
      price,
      updatePrice: sent.UpdatePrice,
      profit: profit ?? ZERO,
      margin: sent.CautionMoney,
      fee: sent.TradeFee,
      swap: sent.Swap ?? ZERO,
      stopLoss: sent.TargetLossPrice,
      takeProfit: sent.TargetProfitPrice,
      trailing: sent.Trailing ?? ZERO,
      until: sent.Until,
      status,
      createdAt: sent.CreateTimeHandler ?? toUnixMs(0),
      completedAt: sent.CompleteTimeHandler,
      closeReason: sent.CloseReason,
    };
  }),
);

/** An order, as it is sent. */
export type OrderRow = Sent<typeof order>;

/** An order, as far as the server says it: `identify` fills in the rest. */
export type ReadOrder = Read<typeof order>;

const orderPage = v.pipe(
  v.object({
    data: list(order),
    total: lenient(whole, undefined),
    /** Over all pages of the status; fees and swap apart. */
    all_fact_profits: amountOrZero(readUsd),
    /** Paid for the orders of all pages; absent: unknown. */
    all_trade_fee: optional(amount(readUsd)),
    /** Where the server has `swap`: of the orders of all pages. */
    all_swap: optional(amount(readUsd)),
    balance: amountOrZero(readUsd),
  }),
  v.title('OrderPage'),
  v.transform((sent) => ({
    ...pageOf(sent.data, sent.total),
    profit: sent.all_fact_profits,
    fees: sent.all_trade_fee,
    swap: sent.all_swap,
  })),
);

/** A page of my_deal, as it is sent. */
export type OrderPageRow = Sent<typeof orderPage>;

/** A page of my_deal. */
export type OrderPage = Read<typeof orderPage>;

const priceIfSent = params.decimalIfSent(toPrice);

const orderId = { id: params.id };

/** Of a pending order: when it expires, unix ms of the market clock; 0 or absent: never. */
const until = params.optional(params.milliseconds, undefined);

/** Places an order (protocol.md#submit). */
export const submitOrder = call({
  method: 'GET',
  path: '/v1/api/forex/submit',
  access: 'user',
  effect: 'once',
  request: 'submit',
  paramFeatures: { trailing: 'trailing_stop', until: 'expiry' },
  params: {
    /** 1 buy, 2 sell. */
    type: params.oneOf(1, 2),
    cont: params.decimalIfSent(toLots),
    forex_id: params.id,
    /** 1 market, 0 pending. */
    status: params.oneOf(STATUS_NUMBERS.holding, STATUS_NUMBERS.pending),
    /** Of a pending order. Of a market order: the quote that the user saw. */
    target_price: priceIfSent,
    stop_loss_price: priceIfSent,
    target_profit_price: priceIfSent,
    /** How far the stop-loss follows the best price; absent or "0": it does not. */
    trailing: priceIfSent,
    multiple: params.decimalIfSent(toLeverage),
    /** Of a market order: how much worse than the quote seen the fill may be. */
    deviation: priceIfSent,
    until,
  },
  answer: order,
});

export type SubmitParams = Asked<typeof submitOrder>;

/** The orders of one status, newest first (protocol.md#order-list). */
export const orderList = call({
  method: 'GET',
  path: '/v1/api/forex/my_deal',
  access: 'user',
  effect: 'reads',
  params: {
    status: params.optional(params.oneOf(0, 1, 3), STATUS_NUMBERS.pending),
    page: params.page,
    limit: params.limit,
  },
  answer: orderPage,
});

/** Closes a position, or a part of it (protocol.md#close). */
export const closeOrder = call({
  method: 'GET',
  path: '/v1/api/forex/close',
  access: 'user',
  effect: 'once',
  request: 'close',
  paramFeatures: { cont: 'partial_close', seen_quantity: 'seen_quantity' },
  params: {
    ...orderId,
    /** Lots of a partial close; absent or "0": the whole order. */
    cont: params.optionalDecimal(toLots),
    /** The `Quantity` that the user saw; absent or "0": not checked. */
    seen_quantity: params.optionalDecimal(toLots),
  },
  answer: order,
});

/** Cancels a pending order (protocol.md#cancel). */
export const cancelOrder = call({
  method: 'GET',
  path: '/v1/api/forex/cancel_trade',
  access: 'user',
  effect: 'once',
  request: 'cancel',
  params: orderId,
  answer: order,
});

/** Sets the stop-loss and take-profit of an order; 0 removes one (protocol.md#set-exits). */
export const setExits = call({
  method: 'GET',
  path: '/v1/api/forex/set_stop_price',
  access: 'user',
  effect: 'once',
  request: 'stops',
  paramFeatures: { trailing: 'trailing_stop' },
  params: {
    ...orderId,
    target_profit_price: params.optionalDecimal(toPrice),
    stop_loss_price: params.optionalDecimal(toPrice),
    /** As of `submitOrder`. */
    trailing: params.optionalDecimal(toPrice),
  },
  answer: order,
});

/** Replaces the terms of a pending order (protocol.md#amend). All are as they shall be; absent or "0" is none. */
export const amendOrder = call({
  method: 'GET',
  path: '/v1/api/forex/amend',
  access: 'user',
  effect: 'once',
  request: 'amend',
  feature: 'amend',
  paramFeatures: { trailing: 'trailing_stop', until: 'expiry' },
  params: {
    ...orderId,
    target_price: priceIfSent,
    cont: params.decimalIfSent(toLots),
    stop_loss_price: priceIfSent,
    target_profit_price: priceIfSent,
    trailing: priceIfSent,
    until,
  },
  answer: order,
});

export type AmendParams = Asked<typeof amendOrder>;

/** Percent; `--` with no margin in use. */
const ratio = lenient(
  value<string, string>({ anyOf: [DECIMAL, { const: '--', type: 'string' }] }, readText),
  '',
);

/** Only what the worker does not compute itself is read (domain.md#account-summary). */
const summary = v.pipe(
  v.object({
    balance: amount(readUsd),
    lock_balance: amount(readUsd),
    /** Margins of pending orders and positions. */
    caution_money: amount(readUsd),
    /** Floating, six decimals. */
    fact_profits: amountOrZero(readUsd),
    net_value: amountOrZero(readUsd),
    free_balance: amountOrZero(readUsd),
    risk_rate: ratio,
    prepayment_ratio: ratio,
  }),
  v.title('AccountSummary'),
  v.transform(({ balance, lock_balance: lockBalance, caution_money: marginInUse }) => {
    return { balance, lockBalance, marginInUse };
  }),
);

/** Summary of the account, as it is sent. */
export type AccountSummaryRow = Sent<typeof summary>;

/** The summary of an account that only the server knows. */
export type Balances = Read<typeof summary>;

/** Summary of the account (protocol.md#account-summary). */
export const accountSummary = call({
  method: 'GET',
  path: '/v1/api/main/account/forexDetail',
  access: 'user',
  effect: 'reads',
  params: {},
  answer: summary,
});

/** The balance as exact text. */
const demoReset = v.pipe(
  v.object({
    balance: value<string, string>(DECIMAL, (sent) => readUsd(sent) && readText(sent)),
  }),
  v.title('DemoReset'),
  v.transform(({ balance }) => balance),
);

export type DemoResetRow = Sent<typeof demoReset>;

/** Ends all orders of a demo account and restores its starting balance (protocol.md#demo-reset). */
export const resetDemo = call({
  method: 'GET',
  path: '/v1/api/main/user/resetForexDemoAccount',
  access: 'user',
  effect: 'once',
  request: 'reset',
  params: {},
  answer: demoReset,
});
