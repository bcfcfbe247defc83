import { expect, it } from 'vitest';
import { MAIN } from '#domain/workload/workload';

const { everyScreen, expectLive, framesPerSecond } = await import(
  '../../bench/render/harness/gate' as string
);
const { wrongRows } = await import('../../bench/render/harness/wrongRows' as string);
const { BOXES } = await import('../../bench/render/harness/manifest' as string);

const names = ['AAAA/USD', 'AAAB/USD', 'AAAC/USD', 'AAAD/USD', 'AAAE/USD'];
const last = new Map(names.map((name) => [name, { price: '568.569', change: '+0.02%' }]));
const right = names
  .slice(0, 4)
  .map((name) => ({ name, ...last.get(name), lacks: [] as string[], direction: 'up' }));

const wrong = (rows: readonly object[], first = 0, boxes = BOXES) =>
  wrongRows({ rows, count: 4, first }, { names, last }, boxes);
const withThird = (change: object) =>
  right.map((row, index) => (index === 2 ? { ...row, ...change } : row));

it('lets pass the rows that show the first instruments as they were last', () => {
  expect(wrong(right)).toBeUndefined();
});

it('says which row shows another quote than the last', () => {
  expect(wrong(withThird({ price: '568.448', change: '0.00%' }))).toBe(
    'row 3, AAAC/USD: drawn 568.448 0.00%, last quote 568.569 +0.02%; 1 of 4 rows wrong',
  );
});

it('compares the names in sight with the list', () => {
  const without = right.filter((_, index) => index !== 2);
  expect(wrong(without)).toBe('3 rows in sight, not 4: AAAC/USD is missing');
  expect(wrong([...without, { ...right[0], name: 'AAAE/USD' }])).toBe(
    'row 3 is AAAD/USD, not AAAC/USD: AAAC/USD is missing',
  );
  expect(wrong(right.toReversed())).toBe(
    'row 1 is AAAD/USD, not AAAA/USD: the order is that of market.list()',
  );
  // The list was scrolled, and shows what it showed before.
  expect(wrong(right, 1)).toContain('row 1 is AAAA/USD, not AAAB/USD');
});

it('demands the boxes that a manifest does not leave out', () => {
  expect(wrong(withThird({ lacks: ['star', 'sparkline'] }))).toBe(
    'row 3, AAAC/USD: no star, no sparkline; 1 of 4 rows wrong',
  );
  expect(wrong(withThird({ direction: 'down' }))).toContain(
    'row 3, AAAC/USD: data-direction is down, not up, at +0.02%',
  );
  // Of a canvas no boxes are seen.
  const bare = right.map(({ name, price, change }) => ({ name, price, change }));
  expect(wrong(bare)).toContain('no star, no mark, no sparkline, no tail; 4 of 4 rows wrong');
  expect(wrong(bare, 0, {})).toBeUndefined();
});

const seen = ['AAAA/USD', 'AAAA/USD', 'AAAB/USD'].map((name) => ({ at: 0, name, price: '1' }));
const looked = {
  drawn: 12,
  seen,
  rows: { marked: ['AAAA/USD'], seen: [] },
  inSight: new Set(names),
};
const live = (change: object, age = 40) =>
  expectLive({ about: {}, boxes: BOXES }, { ...looked, ...change }, () => [age]);

it('lets no list pass that draws too seldom, too late, or marks nothing', () => {
  expect(() => live({})).not.toThrow();
  expect(framesPerSecond([0, 100, 200])).toBe(10);
  expect(() => live({ drawn: 2 })).toThrow('the gate: 2.0 frames a second draw, not 6');
  expect(() => live({ drawn: framesPerSecond([5]) })).toThrow('the gate: 0.0');
  expect(() => live({}, 1020)).toThrow('1020 ms after they were sent, or later, not within 500');
  expect(() => live({ rows: { marked: [], seen: [] } })).toThrow(
    'AAAA/USD: its price changed without a flash; 1 of 1 rows wrong',
  );
});

it('visits each screen once, each far from the one before', () => {
  const places: number[] = everyScreen(MAIN);
  expect(places.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 49 }, (_, screen) => (screen + 1) * 20),
  );
  for (const [turn, place] of places.entries())
    expect(Math.abs(place - (places[turn - 1] ?? 0))).toBeGreaterThan(400);
});
