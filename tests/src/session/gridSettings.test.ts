import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  fittingWidth,
  GRID_COLUMNS,
  type GridSettings,
  gridSettings,
  moveColumn,
  readGridSettings,
  resetColumns,
  resizeColumn,
  sortGrid,
  toggleColumn,
  WIDTHS,
} from '../../../src/session/gridSettings';

const ids = () => gridSettings.value.columns.map(({ id }) => id);

beforeEach(() => {
  resetColumns();
  sortGrid('default', false);
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
    id.map((of) => () => toggleColumn(of)),
    fc.tuple(id, fc.integer({ min: -3, max: 15 })).map(
      ([of, to]) =>
        () =>
          moveColumn(of, to),
    ),
    fc.tuple(id, fc.double({ noNaN: true })).map(
      ([of, to]) =>
        () =>
          resizeColumn(of, to),
    ),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      resetColumns();
      for (const act of steps) {
        act();
        expectShowable(gridSettings.value);
      }
    }),
  );
});

test('a column is added where it usually stands, moved, and removed', () => {
  expect(ids()).toEqual(['name', 'chart', 'price', 'change']);
  toggleColumn('code');
  toggleColumn('profit');
  expect(ids()).toEqual(['name', 'code', 'chart', 'price', 'change', 'profit']);
  moveColumn('profit', 1);
  expect(ids()).toEqual(['name', 'profit', 'code', 'chart', 'price', 'change']);
  moveColumn('name', 3);
  expect(ids()[0]).toBe('name');
  toggleColumn('code');
  expect(ids()).not.toContain('code');
  resizeColumn('price', 8.1);
  expect(gridSettings.value.columns.find(({ id }) => id === 'price')?.width).toBe(
    fittingWidth(8.1),
  );
});
