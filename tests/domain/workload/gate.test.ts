import { expect, it } from 'vitest';
import { isRight } from '#domain/workload/gate';

const LAST = new Map(
  ['A', 'B', 'C'].map((name) => [name, { price: '1.500', change: '+0.10%' }] as const),
);
const rows = [...LAST].map(([name, wanted]) => ({ name, ...wanted }));
const gate = (shown: Parameters<typeof isRight>[0]) => isRight(shown, LAST, 'A');

it('is passed by rows that all show the last quote', () => {
  expect(gate({ rows })).toBe(true);
  expect(gate({ rows: rows.map((row, i) => (i === 2 ? { ...row, price: '1.499' } : row)) })).toBe(
    false,
  );
  expect(gate({ rows: rows.map((row, i) => (i === 0 ? { ...row, change: '0.00%' } : row)) })).toBe(
    false,
  );
  expect(gate({ rows: rows.map((row) => ({ ...row, name: `${row.name}?` })) })).toBe(false);
});

it('is not passed by a list that shows next to nothing', () => {
  expect(gate({ rows: rows.slice(0, 2) })).toBe(false);
});

it('is passed by a price and, where there is a chart, its last close', () => {
  expect(gate({ price: '1.500', close: 1.5 })).toBe(true);
  expect(gate({ price: '1.500', close: null })).toBe(true);
  expect(gate({ price: '1.500', close: 0 })).toBe(false);
  expect(gate({ price: '1.499', close: 1.5 })).toBe(false);
});
