import { expect, test } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { ANCHORS, KINDS, type Kind } from '../../../../../src/features/trading/drawings/drawing';
import {
  distanceTo,
  FIBONACCI,
  magnetic,
  type Projection,
  type Shape,
  shapeOf,
} from '../../../../../src/features/trading/drawings/geometry';

/** A pixel a second, a pixel a unit of the price; prices grow upwards from the bottom at 400. */
const pane: Projection = {
  width: 600,
  height: 400,
  xOf: (time) => time,
  yOf: (price) => 400 - price,
};
const drawn = (kind: Kind, ...points: [x: number, y: number][]): Shape => {
  const anchors = points.map(([x, y]) => ({ time: toUnixSeconds(x), price: String(400 - y) }));
  const shape = shapeOf({ kind, anchors }, pane);
  if (!shape) throw new Error('no shape');
  return shape;
};
const distance = (shape: Shape, x: number, y: number) => distanceTo({ x, y }, shape, []);

test('every kind has its anchors, and is hit on its lines or its label', () => {
  for (const kind of KINDS) {
    const points = (
      [
        [100, 300],
        [200, 200],
        [200, 150],
      ] as [number, number][]
    ).slice(0, ANCHORS[kind]);
    const shape = drawn(kind, ...points);
    expect(shape.anchors).toHaveLength(ANCHORS[kind]);
    expect(shape.lines.length + shape.labels.length).toBeGreaterThan(0);
  }
});

test('a trend line ends at its points, a ray goes on', () => {
  const points: [number, number][] = [
    [100, 300],
    [200, 200],
  ];
  expect(distance(drawn('trend', ...points), 150, 250)).toBeCloseTo(0);
  expect(distance(drawn('trend', ...points), 300, 100)).toBeCloseTo(Math.hypot(100, 100));
  expect(distance(drawn('ray', ...points), 300, 100)).toBeCloseTo(0);
  expect(distance(drawn('ray', ...points), 50, 350)).toBeCloseTo(Math.hypot(50, 50));
});

test('lines across the pane keep their handle in sight', () => {
  const across = drawn('horizontal', [-900, 120]);
  expect(distance(across, 590, 125)).toBe(5);
  expect(across.anchors).toEqual([{ x: 24, y: 120 }]);
  const down = drawn('vertical', [300, 900]);
  expect(distance(down, 303, 10)).toBe(3);
  expect(down.anchors).toEqual([{ x: 300, y: 376 }]);
});

test('a rectangle is hit at its border, not inside', () => {
  const shape = drawn('rectangle', [100, 100], [300, 300]);
  expect(distance(shape, 100, 200)).toBe(0);
  expect(distance(shape, 200, 200)).toBe(100);
});

test('the second line of a channel goes through its third point', () => {
  const shape = drawn('channel', [100, 100], [300, 200], [200, 250]);
  expect(distance(shape, 200, 250)).toBeCloseTo(0);
  expect(distance(shape, 100, 200)).toBeCloseTo(0);
  expect(shape.lines.filter(({ faint }) => faint)).toHaveLength(1);
});

test('Fibonacci levels lie between the points, 0 at the second', () => {
  const shape = drawn('fibonacci', [100, 300], [300, 200]);
  expect(shape.labels.map(({ at }) => Math.round(at.y))).toEqual(
    FIBONACCI.map((level) => Math.round(200 + 100 * level)),
  );
});

test('before there is a view, nothing has a shape', () => {
  const anchors = [{ time: toUnixSeconds(1), price: '1' }];
  expect(shapeOf({ kind: 'text', anchors }, { ...pane, xOf: () => undefined })).toBeUndefined();
  expect(shapeOf({ kind: 'text', anchors }, { ...pane, yOf: () => undefined })).toBeUndefined();
});

test('a text is hit in its box', () => {
  const shape = drawn('text', [100, 100]);
  const box = { x: 80, y: 90, width: 40, height: 20 };
  expect(distanceTo({ x: 100, y: 100 }, shape, [box])).toBe(0);
  expect(distanceTo({ x: 130, y: 100 }, shape, [box])).toBe(10);
});

test('the magnet takes the nearest price within its reach', () => {
  expect(magnetic([100, 110, 150], 293, 16, pane.yOf)).toBe(110);
  expect(magnetic([100, 110, 150], 270, 16, pane.yOf)).toBeUndefined();
  expect(magnetic([], 270, 16, pane.yOf)).toBeUndefined();
});
