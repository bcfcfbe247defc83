import { absolute, add, isZero, sign, toNumber } from '#domain/core/decimal';
import { type Price, toPrice, type UnitsPerLot, type Usd } from '#domain/core/units';
import type { Alert } from '#domain/trading/alert';
import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { type Position, profit } from '#domain/trading/profit';
import { formatAmount, formatExact, formatPrice, isolated } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import type { ExitKind } from '../../../positions/exitEntry';
import { peekReference } from '../../../positions/useExits';
import { kindText } from '../ticket/pendingText';

/** A horizontal line of the chart. */
export interface ChartLine {
  id: string;
  price: number;
  /** A short name. */
  label: string;
  /** The orders that it stands for, by their ids. */
  orders: readonly number[];
  /** Texts of its tag at `price`, where it may be dragged to, from the longest: the first is drawn for which there is room. */
  texts(price: number): readonly string[];
  /** Of a position: what it has earned, live on its tag. */
  earned?(): { texts: readonly string[]; tone: 'order' | 'profit' | 'loss' };
  tone: 'order' | 'profit' | 'loss';
  /** A pending order: drawn dashed. */
  waiting: boolean;
  /** It is not the user's to drag. */
  fixed?: true;
  /** No marker tells where it is out of view, and the axis does not include it. */
  aside?: true;
}

type LineKind = 'entry' | ExitKind;

/**
 * The lines of an instrument's open and pending orders and of their exits, with the profit of each
 * stop. `profitOf`: what an open one is worth now. Several open orders have one, at their average entry; where there is none, each side has one (screens.md#order-lines).
 */
export function linesOf(
  orders: readonly Order[],
  unitsPerLot: UnitsPerLot,
  profitOf: (order: Order) => Usd,
): ChartLine[] {
  const held = orders.filter(({ status }) => status === 'holding');
  const together = netPosition(held).entry
    ? [held]
    : (['buy', 'sell'] as const).map((side) => held.filter((order) => order.side === side));
  const netted = together.filter(({ length }) => length > 1);
  const single = orders.flatMap((order) => {
    const waiting = order.status === 'pending';
    const nameAt = (originPrice: Price) =>
      `${kindText({ ...order, originPrice })} ${formatExact(order.lots)}`;
    const name = nameAt(order.originPrice);
    const entry = waiting ? order.originPrice : order.price;
    const position: Position = { ...order, price: entry, unitsPerLot };
    const brings = (price: number) => formatAmount(profit(position, toPrice(price)), 2, 'always');
    // Isolate the name, which may run right to left.
    const label = (kind: LineKind) =>
      kind === 'entry' ? name : `${t(`trade.line.${kind}`)} ${isolated(name)}`;
    const line = (kind: LineKind, price: Price, tone: ChartLine['tone']): ChartLine => ({
      id: lineId(order.id, kind),
      price: toNumber(price),
      label: label(kind),
      orders: [order.id],
      texts: (at) =>
        kind === 'entry'
          ? [waiting ? nameAt(toPrice(at)) : name]
          : [`${label(kind)} ${brings(at)} USD`, `${t(`trade.line.${kind}`)} ${brings(at)}`],
      tone,
      waiting: waiting || kind !== 'entry',
    });
    const lines: ChartLine[] = [];
    if (waiting) lines.push(line('entry', entry, 'order'));
    else if (!netted.some((group) => group.includes(order)))
      lines.push({ ...line('entry', entry, 'order'), ...earning(name, [order], profitOf) });
    if (!isZero(order.stopLoss)) lines.push(line('stopLoss', order.stopLoss, 'loss'));
    if (!isZero(order.takeProfit)) lines.push(line('takeProfit', order.takeProfit, 'profit'));
    return lines;
  });
  return [...netted.flatMap((group) => netLine(group, profitOf)), ...single];
}

/** The line of several open orders, at their average entry. */
function netLine(held: readonly Order[], profitOf: (order: Order) => Usd): ChartLine[] {
  const { lots, side, entry } = netPosition(held);
  if (!side || !entry) return [];
  const name = `${t(`trade.position.${side}`)} ${formatExact(absolute(lots))}`;
  const line: ChartLine = {
    id: `net ${side}`,
    price: toNumber(entry),
    label: name,
    orders: held.map(({ id }) => id),
    texts: () => [name],
    ...earning(name, held, profitOf),
    tone: 'order',
    waiting: false,
    fixed: true,
  };
  return [line];
}

/** What positions earn together, as a line tells it. */
function earning(
  name: string,
  held: readonly Order[],
  profitOf: (order: Order) => Usd,
): Pick<ChartLine, 'earned'> {
  return {
    earned() {
      const earned = held.map(profitOf).reduce((one, other) => add(one, other));
      const amount = formatAmount(earned, 2, 'always');
      const tone = (['loss', 'order', 'profit'] as const)[sign(earned) + 1] ?? 'order';
      return { texts: [`${isolated(name)} ${amount} USD`, amount], tone };
    },
  };
}

/** The line of the price at which the account is stopped out (domain.md#stop-out-price). */
export function liquidationLine(price: string): ChartLine {
  const label = t('account.liquidation');
  return {
    id: 'liquidation',
    price: Number(price),
    label,
    orders: [],
    texts: () => [label],
    tone: 'loss',
    waiting: true,
    fixed: true,
    aside: true,
  };
}

/** The line of a price alert that waits; dragging it moves the alert. */
export function alertLine({ id, price, above, note, precision }: Alert): ChartLine {
  const level = (at: number) =>
    t(above ? 'alerts.rise' : 'alerts.fall', { price: formatPrice(at, precision) });
  return {
    id: `${ALERT}${id}`,
    price: toNumber(price),
    label: level(toNumber(price)),
    orders: [],
    texts: (at) => (note ? [`${level(at)} · ${isolated(note)}`, level(at)] : [level(at)]),
    tone: 'order',
    waiting: true,
    aside: true,
  };
}

const ALERT = 'alert ';

/** The id of the alert that a line stands for; undefined where it is another line. */
export function alertOf(line: string): number | undefined {
  return line.startsWith(ALERT) ? Number(line.slice(ALERT.length)) : undefined;
}

/** The id of the line of an order or of one of its exits. */
export function lineId(order: number, kind: LineKind): string {
  return `${order} ${kind}`;
}

/** The id of the line of an order itself. */
export function entryLine(order: number): string {
  return lineId(order, 'entry');
}

/**
 * The exit that a dragged line sets. Dragging the order's own line creates one: a stop-loss on
 * one side of the price by which exits are judged, a take-profit on the other.
 */
export function movedExit(
  id: string,
  price: number,
  orders: readonly Order[],
): { order: Order; kind: ExitKind } | undefined {
  const [orderId, kind] = id.split(' ');
  const order = orders.find((candidate) => candidate.id === Number(orderId));
  if (!order) return undefined;
  if (kind === 'stopLoss' || kind === 'takeProfit') return { order, kind };
  const judged = peekReference(order);
  const from = toNumber(isZero(judged) ? order.price : judged);
  const gains = order.side === 'buy' ? price > from : price < from;
  return { order, kind: gains ? 'takeProfit' : 'stopLoss' };
}
