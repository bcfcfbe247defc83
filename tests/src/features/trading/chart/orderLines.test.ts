import { beforeEach, expect, test } from 'vitest';
import { toUnitsPerLot } from '#domain/core/units';
import type { Alert } from '#domain/trading/alert';
import type { Order } from '#domain/trading/order';
import { profit } from '#domain/trading/profit';
import {
  alertLine,
  alertOf,
  linesOf,
  liquidationLine,
  movedExit,
} from '../../../../../src/features/trading/chart/orderLines';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { lots, order, price } from '../../sampleOrder';

const UNITS = toUnitsPerLot(100_000);
let now = 1.1;
const profitOf = (order: Order) => profit({ ...order, unitsPerLot: UNITS }, price(now));
/** The lines, with what positions are worth at `now`. */
const lines = (orders: readonly Order[]) => linesOf(orders, UNITS, profitOf);
beforeEach(() => {
  now = 1.1;
  scriptWorkerApi([], { silent: true });
});

test('an order has a line, and each of its stops another', () => {
  const drawn = lines([
    order({ stopLoss: price('1.09'), takeProfit: price('1.12') }),
    order({ id: 8, status: 'pending', originPrice: price('1.05'), price: price(0) }),
  ]);
  expect(drawn.map(({ id, price, tone, waiting }) => [id, price, tone, waiting])).toEqual([
    ['7 entry', 1.1, 'order', false],
    ['7 stopLoss', 1.09, 'loss', true],
    ['7 takeProfit', 1.12, 'profit', true],
    ['8 entry', 1.05, 'order', true],
  ]);
});

test('a stop shows its profit, also while it is dragged', async () => {
  await showLanguage('en');
  const [entry, loss] = lines([order({ stopLoss: price('1.09') })]);
  expect(entry?.texts(1.1)).toEqual(['Buy 0.1']);
  expect(loss?.texts(1.09)).toEqual(['SL \u2068Buy 0.1\u2069 -100.00 USD', 'SL -100.00']);
  expect(loss?.texts(1.1005)).toEqual(['SL \u2068Buy 0.1\u2069 +5.00 USD', 'SL +5.00']);
});

test('the line of a position shows what it earns, a pending one its name only', () => {
  const [held, pending] = lines([
    order(),
    order({ id: 8, status: 'pending', originPrice: price('1.05'), price: price(0) }),
  ]);
  now = 1.1005;
  expect(held?.earned?.()).toEqual({
    texts: ['\u2068Buy 0.1\u2069 +5.00 USD', '+5.00'],
    tone: 'profit',
  });
  now = 1.09;
  expect(held?.earned?.()).toMatchObject({ tone: 'loss' });
  now = 1.1;
  expect(held?.earned?.()).toMatchObject({ tone: 'order' });
  expect(pending?.earned).toBeUndefined();
});

test('several open orders have one line at their average entry, with what they earn together', async () => {
  await showLanguage('en');
  const [net, ...others] = lines([
    order({ stopLoss: price('1.09') }),
    order({ id: 8, lots: lots('0.3'), price: price('1.12') }),
    order({ id: 9, side: 'sell', lots: lots('0.2') }),
    order({ id: 10, status: 'pending', originPrice: price('1.05'), price: price(0) }),
  ]);
  // 0.1 × 1.1 + 0.3 × 1.12 − 0.2 × 1.1, for 0.2 lots.
  expect(net).toMatchObject({ id: 'net buy', price: 1.13, orders: [7, 8, 9], fixed: true });
  now = 1.12;
  expect(net?.earned?.()).toMatchObject({
    texts: ['\u2068Long 0.2\u2069 -200.00 USD', '-200.00'],
  });
  now = 1.13;
  expect(net?.earned?.()).toMatchObject({ tone: 'order' });
  expect(others.map(({ id }) => id)).toEqual(['7 stopLoss', '10 entry']);
});

test('where orders have no average entry, each side has a line', () => {
  const ids = (...orders: Parameters<typeof order>[0][]) =>
    lines(orders.map((change, index) => order({ id: index, ...change }))).map(({ id }) => id);
  const sell = { side: 'sell' } as const;
  expect(ids({}, {}, { ...sell, lots: lots('0.2') })).toEqual(['net buy', '2 entry']);
  // 0.1 × 1.1 − 0.09 × 1.3 is below 0.
  expect(ids({}, { ...sell, lots: lots('0.09'), price: price('1.3') })).toEqual([
    '0 entry',
    '1 entry',
  ]);
});

test('a dragged stop sets the same stop of the same order', () => {
  const orders = [order(), order({ id: 8 })];
  expect(movedExit('8 stopLoss', 1.2, orders)).toEqual({ order: orders[1], kind: 'stopLoss' });
  expect(movedExit('9 stopLoss', 1.2, orders)).toBeUndefined();
});

test('dragging the line of an order creates the stop of the side on which it is dropped', () => {
  const kind = (side: 'buy' | 'sell', dropped: number) =>
    movedExit('7 entry', dropped, [order({ side })])?.kind;
  expect(kind('buy', 1.12)).toBe('takeProfit');
  expect(kind('buy', 1.08)).toBe('stopLoss');
  expect(kind('sell', 1.12)).toBe('stopLoss');
  expect(kind('sell', 1.08)).toBe('takeProfit');
  const pending = order({ status: 'pending', originPrice: price('1.05'), price: price(0) });
  expect(movedExit('7 entry', 1.06, [pending])?.kind).toBe('takeProfit');
});

test('between its entry and the present price, the line of a position creates the stop that is valid there', () => {
  const kind = (side: 'buy' | 'sell', now: number, dropped: number) =>
    movedExit('7 entry', dropped, [order({ side, updatePrice: price(now) })])?.kind;
  expect(kind('buy', 1.12, 1.11)).toBe('stopLoss');
  expect(kind('buy', 1.08, 1.09)).toBe('takeProfit');
  expect(kind('sell', 1.08, 1.09)).toBe('stopLoss');
  expect(kind('sell', 1.12, 1.11)).toBe('takeProfit');
  // Without a price the entry counts.
  expect(kind('buy', 0, 1.09)).toBe('stopLoss');
});

test('the price at which the account is stopped out has a line of its name, which nobody drags', async () => {
  await showLanguage('en');
  const line = liquidationLine('1.00227');
  expect(line).toMatchObject({ price: 1.00227, tone: 'loss', fixed: true });
  expect(line.texts(line.price)).toEqual(['Liquidation price (account)']);
  expect(movedExit(line.id, 1.01, [order()])).toBeUndefined();
});

test('an alert has a line that says what it waits for', () => {
  const alert = { id: 3, price: price('1.2'), precision: 5, above: true, note: '' } as Alert;
  const line = alertLine(alert);
  expect(line).toMatchObject({ price: 1.2, waiting: true, aside: true });
  expect(line.fixed).toBeUndefined();
  expect(alertOf(line.id)).toBe(3);
  expect(line.texts(1.2)).toEqual(['Rises to 1.20000']);
  expect(line.texts(1.3)).toEqual(['Rises to 1.30000']);
  const noted = alertLine({ ...alert, above: false, note: 'exit' });
  expect(noted.texts(1.2)).toEqual(['Falls to 1.20000 · \u2068exit\u2069', 'Falls to 1.20000']);
});
