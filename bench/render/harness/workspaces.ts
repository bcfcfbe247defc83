import {
  closePanel,
  dockPanel,
  type Layout,
  MAIN_AREA,
  type PanelId,
  windowPanel,
} from '#domain/workspace/layout';
import { writeLayouts } from '#domain/workspace/layouts';
import { shippedLayout } from '../../../src/app/workspace/shipped';

/** The window group that the page and its windows belong to. */
const WINDOW_GROUP = 'bench';
const CHARTS = 9;
const chartId = (number: number): PanelId => `chart-${number}`;

/** What the device keeps in IndexedDB: the shipped layout of nine charts, or what became of it. */
export function keptLayout(changed?: Layout): Record<string, unknown> {
  const layouts = changed ? { nine: changed } : {};
  return { workspace: writeLayouts({ current: 'nine', own: [], layouts }) };
}

/** What the tab keeps in sessionStorage. */
export const STORED_WINDOW_GROUP = { 'fulcrum.desk': WINDOW_GROUP };

/** The nine charts in three windows, three in each; the list stays in the page. */
export function threeWindows(): { layout: Layout; windows: string[] } {
  let layout = shippedLayout('nine');
  for (let first = 1; first <= CHARTS; first += 3) {
    const moved = windowPanel(layout, chartId(first));
    if (!moved) throw new Error('no more windows');
    layout = moved.layout;
    for (const next of [first + 1, first + 2]) {
      layout = dockPanel(layout, chartId(next), { area: moved.area, side: 'bottom' });
    }
  }
  const windows = layout.areas.flatMap(({ id }) =>
    id === MAIN_AREA ? [] : [`/?inspect#/panel?desk=${WINDOW_GROUP}&layout=nine&area=${id}`],
  );
  return { layout, windows };
}

/** The same list beside the first chart alone. */
export function oneChart(): Layout {
  const others = Array.from({ length: CHARTS - 1 }, (_, index) => chartId(index + 2));
  return others.reduce(closePanel, shippedLayout('nine'));
}

/** The list alone in the whole workspace, with these columns and those of indicators of the minute. */
export function gridAlone(...indicators: readonly string[]): Layout {
  const charts = Array.from({ length: CHARTS }, (_, index) => chartId(index + 1));
  const layout = charts.reduce(closePanel, shippedLayout('nine'));
  const columns = [
    ...['name', 'price', 'change', 'open', 'age'].map((id) => ({ id })),
    ...indicators.map((id) => ({ id, period: '1min' })),
  ];
  const list = { ...layout.panels['list'], kind: 'watchlist', settings: { grid: { columns } } };
  return { ...layout, panels: { ...layout.panels, list } };
}
