import { isZero, sign, toNumber } from '#domain/core/decimal';
import { type Price, toPrice, type UnitsPerLot } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { type Position, profit } from '#domain/trading/profit';
import { formatAmount, formatExact } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import type { StopKind } from '../../../positions/stopEntry';

/** A horizontal line of the chart. */
export interface ChartLine {
  id: string;
  price: number;
  /** A short name. */
  label: string;
  /** The text on the line at `price`, where it may be dragged to. */
  title(price: number): string;
  /** Of a holding order: what it has earned at a price, live on its line. */
  earned?(price: number): { text: string; tone: 'order' | 'profit' | 'loss' };
  tone: 'order' | 'profit' | 'loss';
  /** A pending order: drawn dashed. */
  waiting: boolean;
  /** It is not the user's to drag, and no marker tells where it is out of view. */
  fixed?: true;
}

type LineKind = 'entry' | StopKind;

/**
 * The lines of an instrument's open and pending orders and of their stops, with the profit of each
 * stop (screens.md#order-lines).
 */
export function linesOf(orders: readonly Order[], unitsPerLot: UnitsPerLot): ChartLine[] {
  return orders.flatMap((order) => {
    const waiting = order.status === 'pending';
    const name = `${t(`orders.side.${order.side}`)} ${formatExact(order.lots)}`;
    const entry = waiting ? order.originPrice : order.price;
    const position: Position = { ...order, price: entry, unitsPerLot };
    const brings = (price: number) => formatAmount(profit(position, toPrice(price)), 2, 'always');
    // Isolate the name, which may run right to left.
    const label = (kind: LineKind) =>
      kind === 'entry' ? name : `${t(`trade.line.${kind}`)} \u2068${name}\u2069`;
    const line = (kind: LineKind, price: Price, tone: ChartLine['tone']): ChartLine => ({
      id: lineId(order.id, kind),
      price: toNumber(price),
      label: label(kind),
      title: (at) => (kind === 'entry' ? name : `${label(kind)} ${brings(at)} USD`),
      tone,
      waiting: waiting || kind !== 'entry',
    });
    const held: Pick<ChartLine, 'earned'> = {
      earned(price) {
        const earned = profit(position, toPrice(price));
        const text = `\u2068${name}\u2069 ${formatAmount(earned, 2, 'always')} USD`;
        return { text, tone: (['loss', 'order', 'profit'] as const)[sign(earned) + 1] ?? 'order' };
      },
    };
    const lines = [{ ...line('entry', entry, 'order'), ...(!waiting && held) }];
    if (!isZero(order.stopLoss)) lines.push(line('stopLoss', order.stopLoss, 'loss'));
    if (!isZero(order.takeProfit)) lines.push(line('takeProfit', order.takeProfit, 'profit'));
    return lines;
  });
}

/** The line of the price at which the account is stopped out (domain.md#stop-out-price). */
export function liquidationLine(price: string): ChartLine {
  const label = t('account.liquidation');
  return {
    id: 'liquidation',
    price: Number(price),
    label,
    title: () => label,
    tone: 'loss',
    waiting: true,
    fixed: true,
  };
}

function lineId(order: number, kind: LineKind): string {
  return `${order} ${kind}`;
}

/** The id of the line of an order itself. */
export function entryLine(order: number): string {
  return lineId(order, 'entry');
}

/**
 * The stop that a dragged line sets. Dragging the order's own line creates a stop: a stop-loss on
 * one side of it, a take-profit on the other.
 */
export function movedStop(
  id: string,
  price: number,
  orders: readonly Order[],
): { order: Order; kind: StopKind } | undefined {
  const [orderId, kind] = id.split(' ');
  const order = orders.find((candidate) => candidate.id === Number(orderId));
  if (!order) return undefined;
  if (kind === 'stopLoss' || kind === 'takeProfit') return { order, kind };
  const entry = toNumber(order.status === 'pending' ? order.originPrice : order.price);
  const gains = order.side === 'buy' ? price > entry : price < entry;
  return { order, kind: gains ? 'takeProfit' : 'stopLoss' };
}
