import { add, isZero, negate, ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import type { Movement, Reversed } from '#domain/trading/movement';

/** Owner of the broker's ledger accounts. */
export const BROKER = 0;

/**
 * Ledger accounts of a user: `available` is the balance; `margin` is frozen by open orders,
 * `withdrawals` by withdrawals under review. Of the broker: `capital` pays demo money in, `trading`
 * is the other side of profits and losses, `fees` collects fees, `swaps` is the other side of overnight financing, `write_offs`
 * lifts negative balances, `payments` is money outside, `funds` holds subscribed amounts, `interest` pays daily
 * profits (domain.md#ledger).
 */
export const USER_ACCOUNTS = ['available', 'margin', 'withdrawals'] as const;
export const BROKER_ACCOUNTS = [
  'capital',
  'trading',
  'fees',
  'swaps',
  'write_offs',
  'payments',
  'funds',
  'interest',
] as const;
export type UserAccount = (typeof USER_ACCOUNTS)[number];
export type BrokerAccount = (typeof BROKER_ACCOUNTS)[number];

export interface Leg {
  owner: number;
  kind: UserAccount | BrokerAccount;
  amount: Usd;
}

/** Why money moved; the number is the record's Type (domain.md#financial-records). */
export const ENTRY_TYPES = {
  funded: 1,
  frozen: 2,
  released: 3,
  fill_refused: 3,
  fee: 4,
  profit: 5,
  lifted: 6,
  reset: 7,
  note: 10,
  deposited: 11,
  withdrawal: 12,
  withdrawal_returned: 13,
  paid_out: 14,
  subscribed: 15,
  interest: 16,
  matured: 17,
  redeemed: 18,
  swap: 19,
  busted: 20,
  adjusted: 21,
  unlifted: 6,
} as const;
export type EntryKind = keyof typeof ENTRY_TYPES;

/** A movement of money before it is posted. Its legs add up to zero. */
export interface Entry {
  kind: EntryKind;
  orderId: number;
  /** Parameters of the sentence that describes its kind. */
  params: Readonly<Record<string, string | number>>;
  /** Free text of a note. */
  memo?: string;
  legs: readonly Leg[];
}

/** An order as the cause of a movement. */
interface OrderOf {
  id: number;
  userId: number;
  name: string;
}

function ofOrder(kind: EntryKind, order: OrderOf, legs: readonly Leg[]): Entry {
  return { kind, orderId: order.id, params: { order: order.id, name: order.name }, legs };
}

/** Legs that move `amount` from an account of the broker to the user's balance. */
export function fromBroker(userId: number, from: BrokerAccount, amount: Usd): Leg[] {
  return [
    { owner: BROKER, kind: from, amount: negate(amount) },
    { owner: userId, kind: 'available', amount },
  ];
}

export function betweenAccounts(
  userId: number,
  from: UserAccount,
  to: UserAccount,
  amount: Usd,
): Leg[] {
  return [
    { owner: userId, kind: from, amount: negate(amount) },
    { owner: userId, kind: to, amount },
  ];
}

/** The starting balance of a demo account. */
export function openingEntry(userId: number, amount: Usd): Entry {
  return { kind: 'funded', orderId: 0, params: {}, legs: fromBroker(userId, 'capital', amount) };
}

export function freezeMarginEntry(order: OrderOf, amount: Usd): Entry {
  return ofOrder('frozen', order, betweenAccounts(order.userId, 'available', 'margin', amount));
}

/**
 * `fill_refused`: the balance did not cover the fee of a pending order when its target was reached.
 */
export function releaseMarginEntry(
  order: OrderOf,
  amount: Usd,
  kind: 'released' | 'fill_refused',
): Entry {
  return ofOrder(kind, order, betweenAccounts(order.userId, 'margin', 'available', amount));
}

export function feeEntry(order: OrderOf, amount: Usd): Entry {
  return ofOrder('fee', order, fromBroker(order.userId, 'fees', negate(amount)));
}

/** What a position is charged at a 00:00 UTC; negative is paid. */
function swapEntry(
  order: OrderOf & { splitFrom: number | null },
  amount: Usd,
  midnight: UnixMs,
): Entry {
  const date = new Date(midnight).toISOString().slice(0, 10);
  const entry = ofOrder('swap', order, fromBroker(order.userId, 'swaps', amount));
  // As what it was charged before it was split.
  const orderId = order.splitFrom ?? order.id;
  return { ...entry, orderId, params: { ...entry.params, date } };
}

/** A profit, or a loss where it is negative. */
function profitEntry(order: OrderOf, amount: Usd): Entry {
  return ofOrder('profit', order, fromBroker(order.userId, 'trading', amount));
}

/**
 * Lifts a negative balance to 0 after the last position has closed
 * (domain.md#negative-balance).
 */
function writeOffEntry(order: OrderOf, balance: Usd): Entry {
  return ofOrder('lifted', order, fromBroker(order.userId, 'write_offs', negate(balance)));
}

/** Takes back what was lifted, where the loss that led to it is undone (domain.md#bust). */
function takeBackEntry(order: OrderOf, amount: Usd): Entry {
  return ofOrder('unlifted', order, fromBroker(order.userId, 'write_offs', negate(amount)));
}

/**
 * Moves what fills of an order have moved, by the operator's decision. Fee and swap of a part are booked under the order that it was split
 * from (domain.md#partial-close).
 */
function reversalEntries(
  kind: 'busted' | 'adjusted',
  order: OrderOf & { splitFrom: number | null },
  { margin, profit, fee, swap }: Reversed,
  reason: string,
): Entry[] {
  const { userId, splitFrom } = order;
  const of = (orderId: number, legs: readonly Leg[]): Entry => {
    const entry = ofOrder(kind, order, merged(legs));
    return { ...entry, orderId, params: { ...entry.params, reason } };
  };
  const own = [
    ...betweenAccounts(userId, 'margin', 'available', margin),
    ...fromBroker(userId, 'trading', profit),
  ];
  const paid = [...fromBroker(userId, 'fees', fee), ...fromBroker(userId, 'swaps', swap)];
  if (splitFrom === null) return [of(order.id, [...own, ...paid])];
  return [of(order.id, own), of(splitFrom, paid)];
}

/** One leg for each account: a user reads one record for each. */
function merged(legs: readonly Leg[]): Leg[] {
  const sums = new Map<string, Leg>();
  for (const leg of legs) {
    const key = `${leg.owner} ${leg.kind}`;
    sums.set(key, { ...leg, amount: add(sums.get(key)?.amount ?? ZERO, leg.amount) });
  }
  return [...sums.values()].filter(({ amount }) => !isZero(amount));
}

/** Changes the balance of a demo account by `amount`. */
function resetEntry(userId: number, amount: Usd): Entry {
  return { kind: 'reset', orderId: 0, params: {}, legs: fromBroker(userId, 'capital', amount) };
}

/** What the ledger posts for a movement by matching. */
export function entriesOf(movement: Movement): Entry[] {
  if (!('reversed' in movement)) return [entryOf(movement)];
  return reversalEntries(movement.kind, movement.order, movement.reversed, movement.reason);
}

function entryOf(movement: Exclude<Movement, { kind: 'busted' | 'adjusted' }>): Entry {
  const { amount } = movement;
  switch (movement.kind) {
    case 'frozen':
      return freezeMarginEntry(movement.order, negate(amount));
    case 'released':
    case 'fill_refused':
      return releaseMarginEntry(movement.order, amount, movement.kind);
    case 'fee':
      return feeEntry(movement.order, negate(amount));
    case 'swap':
      return swapEntry(movement.order, amount, movement.midnight);
    case 'profit':
      return profitEntry(movement.order, amount);
    case 'lifted':
      return writeOffEntry(movement.order, negate(amount));
    case 'unlifted':
      return takeBackEntry(movement.order, negate(amount));
    case 'reset':
      return resetEntry(movement.userId, amount);
  }
}

/** Whether nothing moves; then nothing is posted. */
export function isEmpty({ legs }: Entry): boolean {
  return legs.every(({ amount }) => isZero(amount));
}
