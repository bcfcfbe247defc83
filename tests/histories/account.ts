import type { OrderRow } from '#domain/api/trading';
import { plainNumber } from './history';

/** An order as a user sees it. Amounts of money are micro-USD, other numbers plain text. */
export interface Order {
  readonly id: number;
  readonly instrument: number;
  readonly side: number;
  readonly lots: string;
  readonly leverage: string;
  readonly origin: string;
  /** Of its fill; "0" while pending. */
  readonly price: string;
  readonly margin: bigint;
  readonly fee: bigint;
  readonly swap: bigint;
  readonly stopLoss: string;
  readonly takeProfit: string;
  readonly trailing: string;
  readonly until: number;
  readonly status: number;
  readonly createdAt: string;
  /** These only of one that has ended. */
  readonly reason: string;
  readonly closePrice: string;
  readonly profit: bigint;
  readonly completedAt: string;
}

export const PENDING = 0;
export const HOLDING = 1;
export const CLOSED = 3;

/** Money of a user, and where it came from, as a sequential server would have it. Never changed. */
export interface Account {
  readonly balance: bigint;
  /** Entries of the ledger that moved the balance. */
  readonly entries: number;
  readonly open: ReadonlyMap<number, Order>;
  readonly closed: ReadonlyMap<number, Order>;
  /** Amounts of withdrawals under review, by id. */
  readonly withdrawals: ReadonlyMap<number, bigint>;
  /** Deposits under review. */
  readonly deposits: ReadonlySet<number>;
  /** Of its orders: later ones have higher ids. */
  readonly lastId: number;
  /** Orders that the last operation has changed, as they are since. */
  readonly changed: readonly Order[];
}

export function emptyAccount(balance: bigint): Account {
  const nothing = { open: new Map(), closed: new Map(), withdrawals: new Map() };
  return { balance, entries: 1, deposits: new Set(), lastId: 0, changed: [], ...nothing };
}

export function micro(amount: string | undefined): bigint {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{0,6})0*)?$/.exec(amount || '0') ?? [];
  if (whole === undefined) throw new Error(`no amount: ${amount}`);
  const units = BigInt(whole + decimals.padEnd(6, '0'));
  return sign ? -units : units;
}

export function orderOf(row: OrderRow): Order {
  const isClosed = row.Status === CLOSED;
  return {
    id: row.Id,
    instrument: row.ForexTradeLists.Id,
    side: row.OrderType,
    lots: plainNumber(row.Quantity),
    leverage: plainNumber(row.Multiple),
    origin: plainNumber(row.OriginPrice),
    price: plainNumber(row.Price),
    margin: micro(row.CautionMoney),
    fee: micro(row.TradeFee),
    swap: micro(row.Swap),
    stopLoss: plainNumber(row.TargetLossPrice),
    takeProfit: plainNumber(row.TargetProfitPrice),
    trailing: plainNumber(row.Trailing),
    until: row.Until ?? 0,
    status: row.Status,
    createdAt: row.CreateTimeHandler,
    reason: row.CloseReason,
    closePrice: isClosed ? plainNumber(row.UpdatePrice) : '0',
    profit: isClosed ? micro(row.FactProfits) : 0n,
    completedAt: row.CompleteTimeHandler,
  };
}

const texts = new WeakMap<Order, string>();

/** Equal for orders that look the same. A stop-loss that follows the price moves by itself. */
export function textOf(order: Order): string {
  let text = texts.get(order);
  if (text === undefined) {
    const { trailing, stopLoss } = order;
    const shown = { ...order, stopLoss: trailing === '0' ? stopLoss : 'follows' };
    text = Object.values(shown).join(' ');
    texts.set(order, text);
  }
  return text;
}

export function keyOf({ balance, entries, open, withdrawals, deposits }: Account): string {
  const orders = [...open.keys()].sort((a, b) => a - b);
  const texts = orders.map((id) => textOf(open.get(id) as Order));
  return [balance, entries, ...texts, [...withdrawals.keys()].sort(), deposits.size].join();
}

export function marginOf({ open }: Account): bigint {
  let sum = 0n;
  for (const { margin } of open.values()) sum += margin;
  return sum;
}

/** Everything frozen: margins, and withdrawals under review. */
export function frozenOf(account: Account): bigint {
  let sum = marginOf(account);
  for (const amount of account.withdrawals.values()) sum += amount;
  return sum;
}

/** An account that moves money, each amount by an entry; nothing is no entry. */
function move(account: Account, ...amounts: bigint[]): Account {
  const moved = amounts.filter((amount) => amount !== 0n);
  const balance = moved.reduce((sum, amount) => sum + amount, account.balance);
  return { ...account, balance, entries: account.entries + moved.length };
}

function put(account: Account, order: Order): Account {
  const open = new Map(account.open).set(order.id, order);
  return { ...account, open, changed: [order] };
}

/** Whether two orders agree, but for what is named. */
function agree(before: Order, after: Order, ...changing: (keyof Order)[]): boolean {
  const kept = Object.fromEntries(changing.map((name) => [name, after[name]]));
  return textOf({ ...before, ...kept }) === textOf(after);
}

/** A new order; undefined where it can't be. */
export function place(account: Account, order: Order): Account | undefined {
  const { id, margin, fee, status, price } = order;
  if (id <= account.lastId) return undefined;
  const isFilled = status === HOLDING;
  if (isFilled === (price === '0') || order.swap !== 0n) return undefined;
  const placed = move({ ...put(account, order), lastId: id }, -margin, isFilled ? -fee : 0n);
  // The fee must be covered too where it is charged later.
  return account.balance >= margin + fee ? placed : undefined;
}

/** A pending order has other terms, or is filled at once. */
export function amend(account: Account, order: Order): Account | undefined {
  const before = account.open.get(order.id);
  if (before?.status !== PENDING || order.status === CLOSED) return undefined;
  const isFilled = order.status === HOLDING;
  const kept = ['lots', 'origin', 'price', 'margin', 'fee', 'stopLoss', 'takeProfit'] as const;
  if (!agree(before, order, ...kept, 'trailing', 'until', 'status')) return undefined;
  if (isFilled === (order.price === '0')) return undefined;
  if (account.balance + before.margin < order.margin + order.fee) return undefined;
  return move(put(account, order), before.margin - order.margin, isFilled ? -order.fee : 0n);
}

export function setExits(account: Account, order: Order): Account | undefined {
  const before = account.open.get(order.id);
  if (!before || !agree(before, order, 'stopLoss', 'takeProfit', 'trailing')) return undefined;
  return put(account, order);
}

/** A pending order is filled. Its stop-loss may begin to follow. */
export function fill(account: Account, order: Order): Account | undefined {
  const before = account.open.get(order.id);
  if (before?.status !== PENDING) return undefined;
  const filled: Order = { ...before, status: HOLDING, price: order.price };
  return move(put(account, filled), -filled.fee);
}

/** A position is charged for a night. */
export function charge(account: Account, id: number, amount: bigint): Account | undefined {
  const before = account.open.get(id);
  if (before?.status !== HOLDING) return undefined;
  return move(put(account, { ...before, swap: before.swap + amount }), amount);
}

/** An order ends as `order` says. */
export function end(account: Account, order: Order): Account | undefined {
  const before = account.open.get(order.id);
  if (!before || order.status !== CLOSED || !mayEnd(before, order)) return undefined;
  const changing = ['reason', 'closePrice', 'profit', 'completedAt', 'status'] as const;
  if (!agree(before, order, ...changing)) return undefined;
  const open = new Map(account.open);
  open.delete(order.id);
  const closed = new Map(account.closed).set(order.id, order);
  const ended = { ...account, open, closed, changed: [order] };
  return lift(move(ended, order.margin, order.profit), before);
}

/** With the last position a negative balance ends. */
function lift(account: Account, ended: Order): Account {
  const isHeld = [...account.open.values()].some(({ status }) => status === HOLDING);
  if (isHeld || ended.status !== HOLDING || account.balance >= 0n) return account;
  return move(account, -account.balance);
}

function mayEnd(before: Order, { reason, closePrice, profit }: Order): boolean {
  const wasHeld = before.status === HOLDING;
  if (!wasHeld && profit !== 0n) return false;
  const isBuy = before.side === 1;
  const isBeyond = (limit: string, below: boolean) =>
    limit !== '0' &&
    (below ? Number(closePrice) <= Number(limit) : Number(closePrice) >= Number(limit));
  switch (reason) {
    case 'cancelled':
      return !wasHeld;
    case 'expired':
      return !wasHeld && before.until > 0;
    case 'stop_loss':
      return wasHeld && (before.trailing !== '0' || isBeyond(before.stopLoss, isBuy));
    case 'take_profit':
      return wasHeld && isBeyond(before.takeProfit, !isBuy);
    case 'reset':
      return true;
    default:
      return wasHeld;
  }
}

/** A part of a position is closed as an order of its own; `rest` is left. */
export function split(account: Account, rest: Order, part: Order): Account | undefined {
  const before = account.open.get(rest.id);
  if (before?.status !== HOLDING || part.id <= account.lastId) return undefined;
  const isShared = (name: 'margin' | 'fee' | 'swap') => rest[name] + part[name] === before[name];
  const isRight = isShared('margin') && isShared('fee') && isShared('swap');
  if (!isRight || !agree(before, rest, 'lots', 'margin', 'fee', 'swap')) return undefined;
  const { lots, margin, fee, swap } = part;
  const held: Order = { ...before, id: part.id, lots, margin, fee, swap };
  const open = new Map(account.open).set(rest.id, rest).set(part.id, held);
  const parted = end({ ...account, open, lastId: part.id }, part);
  return parted && { ...parted, changed: [part, rest] };
}

/** All orders end as `ended` has them, and the balance is what a demo account begins with. */
export function reset(
  account: Account,
  balance: bigint,
  ended: ReadonlyMap<number, Order>,
): Account | undefined {
  let left: Account | undefined = account;
  const changed: Order[] = [];
  for (const id of account.open.keys()) {
    const order = ended.get(id);
    if (order?.reason !== 'reset') return undefined;
    left = left && end(left, order);
    changed.push(order);
  }
  return left && { ...move(left, balance - left.balance), changed };
}

export function withdraw(account: Account, id: number, amount: bigint): Account | undefined {
  if (account.balance < amount || account.withdrawals.has(id)) return undefined;
  const withdrawals = new Map(account.withdrawals).set(id, amount);
  return { ...move(account, -amount), withdrawals, changed: [] };
}

/** A withdrawal under review is paid out, or returned. */
export function decide(account: Account, id: number, isPaid: boolean): Account | undefined {
  const amount = account.withdrawals.get(id);
  if (amount === undefined) return undefined;
  const withdrawals = new Map(account.withdrawals);
  withdrawals.delete(id);
  return { ...move(account, isPaid ? 0n : amount), withdrawals, changed: [] };
}

export function deposit(account: Account, id: number): Account | undefined {
  if (account.deposits.has(id)) return undefined;
  return { ...account, deposits: new Set(account.deposits).add(id), changed: [] };
}

export function credit(account: Account, id: number, amount: bigint): Account | undefined {
  if (!account.deposits.has(id)) return undefined;
  const deposits = new Set(account.deposits);
  deposits.delete(id);
  return { ...move(account, amount), deposits, changed: [] };
}
