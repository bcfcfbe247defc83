import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { readFields } from '#domain/core/read';
import {
  BAR_SORTS,
  COLUMN_INDICATORS,
  COLUMN_PERIODS,
  type ColumnIndicator,
  type ColumnPeriod,
} from '#domain/indicators/columns';
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
  'low',
  'high',
  'range',
  'volume',
  'volatility',
  'bid',
  'ask',
  'spread',
  'age',
  'position',
  'profit',
  ...COLUMN_INDICATORS,
] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

export interface ShownColumn {
  id: GridColumn;
  /** Width in rem, which grows with the user's text. */
  width: number;
  /** Of an indicator: of which bars it is computed. */
  period?: ColumnPeriod;
}

/** Whether a column is that of an indicator. */
export function isIndicator(id: string): id is ColumnIndicator {
  return (COLUMN_INDICATORS as readonly string[]).includes(id);
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

/** The usual columns fit in the usual panel, beside a scroll bar that takes room. */
const USUAL_WIDTH: Readonly<Record<GridColumn, number>> = {
  name: 7.75,
  code: 6,
  category: 7,
  chart: 4.5,
  price: 6.25,
  change: 5,
  open: 6.25,
  low: 6.25,
  high: 6.25,
  range: 6,
  volume: 5.5,
  volatility: 5.5,
  bid: 6.25,
  ask: 6.25,
  spread: 5,
  age: 4.5,
  position: 5.5,
  profit: 6.5,
  rsi: 6.5,
  macd: 9,
  atr: 6.5,
  sma: 7.5,
  ema: 7.5,
};

/** The bars of an indicator until others are chosen. */
export const USUAL_PERIOD: ColumnPeriod = '60min';

const SORTS = [
  'default',
  'name',
  'code',
  'category',
  'price',
  'change',
  'open',
  'bid',
  'ask',
  'spread',
  'age',
  'position',
  'profit',
  'volatility',
  ...BAR_SORTS,
] as const satisfies readonly Sort[];

const USUAL: GridSettings = {
  columns: shown(['name', 'chart', 'price', 'change']),
  sort: 'default',
  descending: false,
  grouped: false,
};

function shown(ids: readonly GridColumn[]): ShownColumn[] {
  return ids.map((id) => column(id, USUAL_WIDTH[id], undefined));
}

function column(id: GridColumn, width: number, period: ColumnPeriod | undefined): ShownColumn {
  return isIndicator(id) ? { id, width, period: period ?? USUAL_PERIOD } : { id, width };
}

const aColumn = oneOf(...GRID_COLUMNS);
const aSort = oneOf(...SORTS);
const aPeriod = oneOf(...COLUMN_PERIODS);

/** A width within the limits. */
export function fittingWidth(width: number): number {
  return Math.min(WIDTHS.max, Math.max(WIDTHS.min, Math.round(width * 4) / 4));
}

function readColumn(value: unknown): ShownColumn | undefined {
  const fields = readFields(value);
  const id = aColumn(fields?.['id']);
  const width = fields?.['width'];
  if (id === undefined) return undefined;
  const known = typeof width === 'number' && Number.isFinite(width);
  return column(id, fittingWidth(known ? width : USUAL_WIDTH[id]), aPeriod(fields?.['period']));
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

/** The settings of one grid, and what changes them. */
export interface GridControls {
  readonly settings: ReadonlySignal<GridSettings>;
  /** The instruments are shown as a heat map instead. */
  readonly heat: ReadonlySignal<boolean>;
  setHeat(shown: boolean): void;
  sort(sort: Sort, descending: boolean): void;
  group(grouped: boolean): void;
  /** Adds a column before the first shown one that usually comes after it, or removes it. */
  toggle(id: GridColumn): void;
  /** Puts a column at another place. The name stays the first. */
  move(id: GridColumn, to: number): void;
  resize(id: GridColumn, width: number): void;
  /** Computes the column of an indicator of other bars. */
  setPeriod(id: ColumnIndicator, period: ColumnPeriod): void;
  /** Shows the usual columns again. */
  reset(): void;
}

function gridControls(
  settings: Signal<GridSettings>,
  heat: Signal<boolean>,
  usual = USUAL,
  changed = () => {},
): GridControls {
  const set = (change: Partial<GridSettings>) => {
    settings.value = { ...settings.peek(), ...change };
    changed();
  };
  const setColumns = (
    change: (columns: readonly ShownColumn[]) => readonly ShownColumn[] | undefined,
  ) => {
    const columns = change(settings.peek().columns);
    if (columns) set({ columns: readGridSettings({ columns })?.columns ?? columns });
  };
  return {
    settings,
    heat,
    setHeat(shown) {
      heat.value = shown;
      changed();
    },
    sort: (sort, descending) => set({ sort, descending }),
    group: (grouped) => set({ grouped }),
    toggle: (id) =>
      setColumns((columns) => {
        const others = columns.filter((column) => column.id !== id);
        if (others.length < columns.length) return others;
        const order = GRID_COLUMNS.indexOf(id);
        const at = columns.findIndex((column) => GRID_COLUMNS.indexOf(column.id) > order);
        const added = column(id, USUAL_WIDTH[id], undefined);
        return columns.toSpliced(at < 0 ? columns.length : at, 0, added);
      }),
    move: (id, to) =>
      setColumns((columns) => {
        const moved = columns.find((column) => column.id === id);
        if (!moved || id === 'name') return undefined;
        const others = columns.filter((column) => column !== moved);
        return others.toSpliced(Math.max(1, to), 0, moved);
      }),
    resize: (id, width) =>
      setColumns((columns) =>
        columns.map((column) =>
          column.id === id ? { ...column, width: fittingWidth(width) } : column,
        ),
      ),
    setPeriod: (id, period) =>
      setColumns((columns) =>
        columns.map((column) => (column.id === id ? { ...column, period } : column)),
      ),
    reset: () => set({ columns: usual.columns }),
  };
}

/** The grid of the desktop's market screen. */
export const marketGrid = gridControls(
  stored<GridSettings>('grid', USUAL, readGridSettings),
  stored('heat-map', false, (value) => value === true),
);

/** What a grid in a panel begins with: panels are narrow. */
const USUAL_IN_PANEL: GridSettings = {
  ...USUAL,
  columns: [
    { id: 'name', width: USUAL_WIDTH.name },
    { id: 'price', width: 5.5 },
    { id: 'change', width: 4.5 },
  ],
};

interface PanelGrid extends GridControls {
  /** Shows what the panel keeps, where that is something else: its layout was given back. */
  receive(saved: unknown, heat: boolean): void;
}

/** The grid of one panel of the workspace, which keeps its settings itself: `changed` is called with each change by the user. */
export function panelGrid(saved: unknown, heat: boolean, changed: () => void): PanelGrid {
  const settings = signal(readGridSettings(saved) ?? USUAL_IN_PANEL);
  const heatShown = signal(heat);
  return {
    ...gridControls(settings, heatShown, USUAL_IN_PANEL, changed),
    receive(next, nextHeat) {
      const read = readGridSettings(next) ?? USUAL_IN_PANEL;
      if (JSON.stringify(read) !== JSON.stringify(settings.peek())) settings.value = read;
      heatShown.value = nextHeat;
    },
  };
}
