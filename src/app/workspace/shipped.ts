import { type Layout, MAIN_AREA, type Node, type Panel, tidy } from '#domain/workspace/layout';
import { SHIPPED, type ShippedId } from '#domain/workspace/layouts';
import type { GridColumn } from '../../preferences/gridSettings';

/** All charts of a shipped layout of many are their own; the list picks for the first one. */
const CHART: Panel = { kind: 'chart' };
const linked = (kind: string): Panel => ({ kind, link: 1 });

const stack = (...panels: string[]): Node => ({ panels, active: panels[0] ?? '' });
const split = (way: 'row' | 'column', shares: readonly number[], ...parts: Node[]): Node => ({
  way,
  parts,
  shares,
});
/** As `split`, but beside a chart a part keeps its pixels. */
const measured = (way: 'row' | 'column', lengths: readonly number[], ...parts: Node[]): Node => {
  const length = lengths.reduce((total, each) => total + each, 0);
  return { way, parts, shares: lengths.map((each) => each / length), length };
};

function layout(panels: Record<string, Panel>, root: Node): Layout {
  return tidy({
    panels,
    areas: [{ id: MAIN_AREA, root, floats: [] }],
    links: {},
    shares: { crosshair: true, period: false },
  });
}

/** Rows of charts of the same size, of which the first is linked. */
function charts(rows: number, columns: number): { panels: Record<string, Panel>; root: Node } {
  const panels: Record<string, Panel> = {};
  const equal = (count: number) => Array.from({ length: count }, () => 1 / count);
  const lines = equal(rows).map((_, row) =>
    split(
      'row',
      equal(columns),
      ...equal(columns).map((__, column) => {
        const id = `chart-${row * columns + column + 1}`;
        panels[id] = row + column === 0 ? { ...CHART, link: 1 } : CHART;
        return stack(id);
      }),
    ),
  );
  return { panels, root: split('column', equal(rows), ...lines) };
}

const ACCOUNT: Record<string, Panel> = {
  positions: linked('positions'),
  orders: linked('orders'),
  history: linked('history'),
  alerts: linked('alerts'),
};
const accountStack = stack('positions', 'orders', 'history', 'alerts');
const SIDE: Record<string, Panel> = {
  ticket: linked('ticket'),
  details: linked('details'),
  news: { kind: 'news' },
};
const sideStack = stack('ticket', 'details', 'news');
const LIST: Record<string, Panel> = { list: linked('watchlist') };
/** What a list to scan the market by has room for. */
const SCANNED: readonly GridColumn[] = ['name', 'chart', 'price', 'change', 'low', 'high', 'range'];

/** Rows of two charts between the list and the order form, above the account. */
function chartsAmongPanels(rows: number): Layout {
  const { panels, root } = charts(rows, 2);
  return layout(
    { ...panels, ...LIST, ...SIDE, ...ACCOUNT },
    split(
      'row',
      [0.2, 0.6, 0.2],
      stack('list'),
      split('column', [0.75, 0.25], root, accountStack),
      sideStack,
    ),
  );
}

/** Of what is beside the chart, px; undefined as usual. */
interface Sizes {
  list?: number | undefined;
  ticket?: number | undefined;
  orders?: number | undefined;
}

const MAKE: Record<ShippedId, (sizes: Sizes) => Layout> = {
  one: ({ list = 440, ticket = 280, orders = 320 }) =>
    layout(
      {
        list: { ...linked('watchlist'), settings: { home: true } },
        chart: linked('chart'),
        ...SIDE,
        ...ACCOUNT,
      },
      measured(
        'row',
        [list, 632, ticket],
        stack('list'),
        measured('column', [520, orders], stack('chart'), accountStack),
        sideStack,
      ),
    ),
  two: () => chartsAmongPanels(1),
  four: () => chartsAmongPanels(2),
  nine: () => {
    const { panels, root } = charts(3, 3);
    return layout({ ...panels, ...LIST }, split('row', [0.22, 0.78], stack('list'), root));
  },
  scan: () =>
    layout(
      {
        list: {
          ...linked('watchlist'),
          settings: { grid: { columns: SCANNED.map((id) => ({ id })) } },
        },
        heat: linked('heat'),
        chart: linked('chart'),
        ...SIDE,
      },
      split(
        'row',
        [0.55, 0.45],
        stack('list', 'heat'),
        split('column', [0.6, 0.4], stack('chart'), sideStack),
      ),
    ),
};

/** Layouts as they are shipped; those of one chart look like the desktop's other screens. */
export function shippedLayout(id: ShippedId, sizes: Sizes = {}): Layout {
  return MAKE[id](sizes);
}

export const SHIPPED_LAYOUTS: readonly ShippedId[] = SHIPPED;
