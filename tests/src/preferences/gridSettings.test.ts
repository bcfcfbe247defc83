import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  fittingWidth,
  GRID_COLUMNS,
  type GridSettings,
  marketGrid,
  readGridSettings,
  WIDTHS,
} from '../../../src/preferences/gridSettings';

const ids = () => marketGrid.settings.value.columns.map(({ id }) => id);

beforeEach(() => {
  marketGrid.reset();
  marketGrid.sort('default', false);
});

function expectShowable({ columns, sort }: GridSettings): void {
  const seen = columns.map(({ id }) => id);
  expect(seen[0]).toBe('name');
  expect(new Set(seen).size).toBe(seen.length);
  for (const { id, width } of columns) {
    expect(GRID_COLUMNS).toContain(id);
    expect(width).toBeGreaterThanOrEqual(WIDTHS.min);
    expect(width).toBeLessThanOrEqual(WIDTHS.max);
  }
  expect(typeof sort).toBe('string');
}

test('whatever is stored, what is read can be shown', () => {
  const id = fc.oneof(fc.constantFrom(...GRID_COLUMNS), fc.string());
  const width = fc.oneof(fc.double(), fc.string(), fc.constant(undefined));
  const column = fc.oneof(fc.record({ id, width }), fc.anything());
  const stored = fc.oneof(
    fc.anything(),
    fc.record({ columns: fc.array(column), sort: fc.anything(), descending: fc.anything() }),
  );
  fc.assert(
    fc.property(stored, (value) => {
      const read = readGridSettings(value);
      if (read) expectShowable(read);
    }),
  );
});

test('whatever the user does to the columns, they can be shown', () => {
  const id = fc.constantFrom(...GRID_COLUMNS);
  const step = fc.oneof(
    id.map((of) => () => marketGrid.toggle(of)),
    fc.tuple(id, fc.integer({ min: -3, max: 15 })).map(
      ([of, to]) =>
        () =>
          marketGrid.move(of, to),
    ),
    fc.tuple(id, fc.double({ noNaN: true })).map(
      ([of, to]) =>
        () =>
          marketGrid.resize(of, to),
    ),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      marketGrid.reset();
      for (const act of steps) {
        act();
        expectShowable(marketGrid.settings.value);
      }
    }),
  );
});

test('a column is added where it usually stands, moved, and removed', () => {
  expect(ids()).toEqual(['name', 'chart', 'price', 'change']);
  marketGrid.toggle('code');
  marketGrid.toggle('profit');
  expect(ids()).toEqual(['name', 'code', 'chart', 'price', 'change', 'profit']);
  marketGrid.move('profit', 1);
  expect(ids()).toEqual(['name', 'profit', 'code', 'chart', 'price', 'change']);
  marketGrid.move('name', 3);
  expect(ids()[0]).toBe('name');
  marketGrid.toggle('code');
  expect(ids()).not.toContain('code');
  marketGrid.resize('price', 8.1);
  expect(marketGrid.settings.value.columns.find(({ id }) => id === 'price')?.width).toBe(
    fittingWidth(8.1),
  );
});
