import { readFields } from '#domain/core/read';
import type { Sort } from '#domain/market/list';
import { listOf, oneOf, stored } from './stored';

/** Columns of a grid of instruments, in their usual order; the name is always the first. */
export const GRID_COLUMNS = [
  'name',
  'code',
  'category',
  'chart',
  'price',
  'change',
  'open',
  'age',
  'position',
  'profit',
] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

export interface ShownColumn {
  id: GridColumn;
  /** Width in rem, which grows with the user's text. */
  width: number;
}

export interface GridSettings {
  /** In the order in which they are shown. */
  columns: readonly ShownColumn[];
  sort: Sort;
  descending: boolean;
  /** A heading before the instruments of each category. */
  grouped: boolean;
}

/** The limits of a column's width, rem. */
export const WIDTHS = { min: 3, max: 30 } as const;

const USUAL_WIDTH: Readonly<Record<GridColumn, number>> = {
  name: 9,
  code: 6,
  category: 7,
  chart: 4.75,
  price: 6.25,
  change: 5,
  open: 6.25,
  age: 4.5,
  position: 5.5,
  profit: 6.5,
};

const SORTS = [
  'default',
  'name',
  'code',
  'price',
  'change',
  'open',
  'age',
  'position',
  'profit',
] as const satisfies readonly Sort[];

const USUAL: GridSettings = {
  columns: shown(['name', 'chart', 'price', 'change']),
  sort: 'default',
  descending: false,
  grouped: false,
};

function shown(ids: readonly GridColumn[]): ShownColumn[] {
  return ids.map((id) => ({ id, width: USUAL_WIDTH[id] }));
}

const aColumn = oneOf(...GRID_COLUMNS);
const aSort = oneOf(...SORTS);

/** A width within the limits. */
export function fittingWidth(width: number): number {
  return Math.min(WIDTHS.max, Math.max(WIDTHS.min, Math.round(width * 4) / 4));
}

function readColumn(value: unknown): ShownColumn | undefined {
  const fields = readFields(value);
  const id = aColumn(fields?.['id']);
  const width = fields?.['width'];
  if (id === undefined) return undefined;
  return {
    id,
    width: fittingWidth(
      typeof width === 'number' && Number.isFinite(width) ? width : USUAL_WIDTH[id],
    ),
  };
}

/** Settings as they can be shown: the name first, each column once. */
export function readGridSettings(value: unknown): GridSettings | undefined {
  const fields = readFields(value);
  const read = listOf(readColumn)(fields?.['columns']);
  if (!read) return undefined;
  const once = read.filter(({ id }, index) => read.findIndex((other) => other.id === id) === index);
  const name = once.find(({ id }) => id === 'name') ?? { id: 'name', width: USUAL_WIDTH.name };
  return {
    columns: [name, ...once.filter(({ id }) => id !== 'name')],
    sort: aSort(fields?.['sort']) ?? 'default',
    descending: fields?.['descending'] === true,
    grouped: fields?.['grouped'] === true,
  };
}

/** The grid of instruments of a desktop. */
export const gridSettings = stored<GridSettings>('grid', USUAL, readGridSettings);

/** The instruments are shown as a heat map instead. */
export const heatMapShown = stored('heat-map', false, (value) => value === true);

function set(change: Partial<GridSettings>): void {
  gridSettings.value = { ...gridSettings.value, ...change };
}

function setColumns(change: (columns: readonly ShownColumn[]) => readonly ShownColumn[]): void {
  const columns = change(gridSettings.value.columns);
  set({ columns: readGridSettings({ columns })?.columns ?? columns });
}

export function sortGrid(sort: Sort, descending: boolean): void {
  set({ sort, descending });
}

export function groupGrid(grouped: boolean): void {
  set({ grouped });
}

/** Adds a column before the first shown one that usually comes after it, or removes it. */
export function toggleColumn(id: GridColumn): void {
  setColumns((columns) => {
    const others = columns.filter((column) => column.id !== id);
    if (others.length < columns.length) return others;
    const usual = GRID_COLUMNS.indexOf(id);
    const at = columns.findIndex((column) => GRID_COLUMNS.indexOf(column.id) > usual);
    return columns.toSpliced(at < 0 ? columns.length : at, 0, { id, width: USUAL_WIDTH[id] });
  });
}

/** Puts a column at another place. The name stays the first. */
export function moveColumn(id: GridColumn, to: number): void {
  setColumns((columns) => {
    const moved = columns.find((column) => column.id === id);
    if (!moved || id === 'name') return columns;
    const others = columns.filter((column) => column !== moved);
    return others.toSpliced(Math.max(1, to), 0, moved);
  });
}

export function resizeColumn(id: GridColumn, width: number): void {
  setColumns((columns) =>
    columns.map((column) => (column.id === id ? { id, width: fittingWidth(width) } : column)),
  );
}

export function resetColumns(): void {
  set({ columns: USUAL.columns });
}
