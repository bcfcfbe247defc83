import type { ISeriesApi } from 'lightweight-charts';
import { expect, test } from 'vitest';
import { chartColours } from '../../../../../src/features/trading/chart/chartColours';
import {
  createChartLines,
  type LineMarkers,
} from '../../../../../src/features/trading/chart/chartLines';
import type { ChartLine } from '../../../../../src/features/trading/chart/orderLines';

/** A pane of 100 px whose top is the price 100. */
function chart() {
  const drawn = new Set<{ price: number }>();
  let markers: LineMarkers = {};
  const candles = {
    createPriceLine: ({ price }: { price: number }) => {
      const line = {
        price,
        applyOptions(options: { price?: number }) {
          line.price = options.price ?? line.price;
        },
      };
      drawn.add(line);
      return line;
    },
    removePriceLine: (line: { price: number }) => drawn.delete(line),
    priceToCoordinate: (price: number) => 100 - price,
    priceScale: () => ({ options: () => ({ autoScale: false }) }),
  } as unknown as ISeriesApi<'Candlestick'>;
  const lines = createChartLines({
    candles,
    colours: () => chartColours(document.body),
    height: () => 100,
    onMarkers: (next) => {
      markers = next;
    },
    rescale() {},
  });
  return { lines, drawn, markers: () => markers };
}

const line = (id: string, price: number, change: Partial<ChartLine> = {}): ChartLine => ({
  id,
  price,
  label: id,
  orders: [Number.parseInt(id, 10) || 0],
  texts: () => [id],
  tone: 'loss',
  waiting: true,
  ...change,
});

test('a line that is fixed is drawn, but not dragged, and nothing points to it out of view', () => {
  const { lines, drawn, markers } = chart();
  lines.set([line('7 stopLoss', 50), line('liquidation', 20, { fixed: true, aside: true })]);
  expect(drawn.size).toBe(2);
  expect(lines.lineAt(50, 5)).toBe('7 stopLoss');
  expect(lines.lineAt(80, 5)).toBeUndefined();
  expect(lines.prices()).toEqual([50]);
  lines.set([line('7 stopLoss', 50), line('liquidation', -20, { fixed: true, aside: true })]);
  expect(markers()).toEqual({});
  lines.set([line('7 stopLoss', -10), line('liquidation', -20, { fixed: true, aside: true })]);
  expect(markers().below).toMatchObject({ count: 1, line: { id: '7 stopLoss' } });
});

test('tags nearer to each other than a text is high are one: that of the position, with how many it stands for', () => {
  const { lines } = chart();
  const earned = () => ({ texts: ['+60'], tone: 'profit' as const });
  lines.set([line('7 stopLoss', 50), line('7 entry', 56, { earned }), line('8 stopLoss', 20)]);
  const told = () => lines.tags(15).map(({ y, texts, orders }) => ({ y, texts, orders }));
  expect(told()).toEqual([
    { y: 44, texts: ['+60 (2)'], orders: [7] },
    { y: 80, texts: ['8 stopLoss'], orders: [8] },
  ]);
  // What is dragged is beside them.
  lines.move('8 stopLoss', 52);
  expect(told()).toContainEqual({ y: 48, texts: ['8 stopLoss'], orders: [8] });
  expect(told()).toHaveLength(2);
  lines.move('8 stopLoss', undefined);
  expect(told()).toContainEqual({ y: 80, texts: ['8 stopLoss'], orders: [8] });
});

test('a line stays where it is dragged while others are set, and returns with those that follow its drop', () => {
  const { lines, drawn } = chart();
  const drawnAt = () => [...drawn].map(({ price }) => price);
  lines.set([line('7 stopLoss', 50), line('liquidation', 20, { fixed: true })]);
  lines.move('7 stopLoss', 60);
  lines.set([line('7 stopLoss', 51), line('liquidation', 21, { fixed: true })]);
  expect(drawnAt()).toEqual([60, 21]);
  expect(lines.tags(1)).toContainEqual(expect.objectContaining({ price: 60, dragged: true }));
  lines.move('7 stopLoss', undefined);
  expect(drawnAt()).toEqual([51, 21]);
  lines.move('7 stopLoss', 60);
  lines.drop();
  expect(drawnAt()).toEqual([60, 21]);
  lines.set([line('7 stopLoss', 51)]);
  expect(drawnAt()).toEqual([51]);
  expect(lines.tags(1)).toContainEqual(expect.objectContaining({ price: 51, dragged: false }));
  // One that has gone meanwhile is no longer held.
  lines.move('7 stopLoss', 60);
  lines.set([]);
  lines.set([line('7 stopLoss', 51)]);
  expect(drawnAt()).toEqual([51]);
});
