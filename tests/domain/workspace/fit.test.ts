import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitArea, type Needs } from '#domain/workspace/fit';
import {
  type Area,
  isSplit,
  type Layout,
  MAIN_AREA,
  moveSash,
  type Node,
  placedStacks,
  resetSash,
  sashesOf,
} from '#domain/workspace/layout';
import { samples, seed } from '../../helpers/samples';

/** Panels are named after what they are. */
const LEAST: Readonly<Record<string, number>> = { list: 320, chart: 200, ticket: 272, orders: 160 };
const NEEDS: Needs = {
  least: (id) => ({ width: LEAST[id] ?? 100, height: id === 'orders' ? 160 : 128 }),
  grows: (id) => id.startsWith('chart'),
  centre: { width: 480, height: 320 },
  yields: (id) => id === 'ticket',
  isShown: () => true,
};
const visitor: Needs = { ...NEEDS, isShown: ({ panels }) => !panels.includes('orders') };

const stack = (id: string): Node => ({ panels: [id], active: id });
const measured = (way: 'row' | 'column', lengths: number[], ...parts: Node[]): Node => {
  const length = lengths.reduce((sum, each) => sum + each);
  return { way, parts, shares: lengths.map((each) => each / length), length };
};
const area = (root: Node): Area => ({ id: MAIN_AREA, root, floats: [] });
const DESKTOP = area(
  measured(
    'row',
    [440, 632, 280],
    stack('list'),
    measured('column', [520, 320], stack('chart'), stack('orders')),
    stack('ticket'),
  ),
);
const layoutOf = (one: Area): Layout => ({
  panels: Object.fromEntries(
    placedStacks(one).map(({ stack }) => [stack.active, { kind: 'chart' }]),
  ),
  areas: [one],
  links: {},
  shares: { crosshair: false, period: false },
});

/** Sizes of the panels in a window, px. */
function sizes(one: Area, width: number, height: number, needs = NEEDS) {
  const placed = placedStacks(fitArea(one, { width, height }, needs));
  return Object.fromEntries(
    placed.map(({ stack, box }) => [
      stack.active,
      [Math.round(box.width * width), Math.round(box.height * height)],
    ]),
  );
}

test('what is beside the chart keeps its size, and the chart takes what is left', () => {
  expect(sizes(DESKTOP, 1832, 1000)).toEqual({
    list: [440, 1000],
    chart: [1112, 680],
    orders: [1112, 320],
    ticket: [280, 1000],
  });
  expect(sizes(DESKTOP, 1192, 500)).toMatchObject({ list: [433, 500], chart: [480, 320] });
});

test('the order form is left out where the list would become too narrow beside it', () => {
  expect(sizes(DESKTOP, 1072, 800)).toMatchObject({ list: [320, 800], ticket: [272, 800] });
  expect(sizes(DESKTOP, 1071, 800)).not.toHaveProperty('ticket');
  expect(sizes(DESKTOP, 936, 800)).toMatchObject({ list: [440, 800], chart: [496, 480] });
});

test('a visitor has no orders, whose place the chart takes', () => {
  expect(sizes(DESKTOP, 1352, 800, visitor)).toEqual({
    list: [440, 800],
    chart: [632, 800],
    ticket: [280, 800],
  });
});

test('a moved boundary changes no part but those beside it, also in a window that is too small for all', () => {
  const fitted = fitArea(DESKTOP, { width: 1192, height: 800 }, visitor);
  const [sash] = sashesOf(fitted);
  if (!sash) throw new Error('no boundary');
  const moved = moveSash(layoutOf(DESKTOP), MAIN_AREA, sash, 0);
  const [one] = moved.areas;
  if (!one) throw new Error('no area');
  expect(sizes(one, 1832, 1000)).toMatchObject({ list: [320, 1000], ticket: [280, 1000] });
  expect(sizes(one, 1832, 1000)).toMatchObject({ orders: [1232, 320] });
  const reset = resetSash(moved, MAIN_AREA, sash, layoutOf(DESKTOP));
  expect(sizes(reset.areas[0] as Area, 1832, 1000)).toEqual(sizes(DESKTOP, 1832, 1000));
  const even = resetSash(moved, MAIN_AREA, sash);
  expect(sizes(even.areas[0] as Area, 1832, 1000)['ticket']).toEqual([280, 1000]);
});

test('shares alone grow and shrink with the window', () => {
  const shares = (root: Node): Node =>
    isSplit(root) ? { way: root.way, parts: root.parts.map(shares), shares: root.shares } : root;
  const one = area(shares(DESKTOP.root as Node));
  const [small, large] = [sizes(one, 1352, 800), sizes(one, 2704, 1600)];
  expect(small['list']?.[0]).toBe(440);
  expect(large['list']?.[0]).toBe(880);
});

test('the parts of a split fill it, none is smaller than it needs while there is room, and none is negative', () => {
  const name = fc.constantFrom('list', 'chart', 'chart2', 'ticket', 'orders', 'news');
  const node: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      name.map(stack),
      fc
        .record({
          way: fc.constantFrom('row', 'column'),
          parts: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
          length: fc.option(fc.integer({ min: 100, max: 3000 }), { nil: undefined }),
          weights: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 4, maxLength: 4 }),
        })
        .map(({ way, parts, length, weights }): Node => {
          const given = weights.slice(0, parts.length);
          const sum = given.reduce((total, each) => total + each);
          return { way: way as 'row', parts, shares: given.map((each) => each / sum), length };
        }),
    ),
  })).node;
  fc.assert(
    fc.property(
      node,
      fc.integer({ min: 200, max: 3000 }),
      fc.integer({ min: 200, max: 2000 }),
      (root, width, height) => {
        const check = (fitted: Node, before: Node) => {
          if (!isSplit(fitted) || !isSplit(before)) return;
          const sum = fitted.shares.reduce((total, share) => total + share, 0);
          expect(sum).toBeCloseTo(1, 6);
          for (const share of fitted.shares) expect(share).toBeGreaterThanOrEqual(0);
          for (const [index, part] of fitted.parts.entries())
            check(part, before.parts[index] as Node);
        };
        const fitted = fitArea(area(root), { width, height }, NEEDS);
        check(fitted.root as Node, root);
        for (const sash of sashesOf(fitted)) {
          expect(sash.share).toBeGreaterThanOrEqual(sash.least - 1e-6);
          expect(sash.share).toBeLessThanOrEqual(sash.most + 1e-6);
        }
      },
    ),
    { numRuns: samples(300, 10_000), seed },
  );
});
