import type { ChartPeriod } from '#domain/market/kline';
import {
  type AreaId,
  addPanel,
  areaOf,
  changePanel,
  changeShared,
  type Layout,
  MAIN_GROUP,
  MOST_PANELS,
  type PanelId,
  type Target,
} from '#domain/workspace/layout';
import { isShipped, type LayoutId } from '#domain/workspace/layouts';
import { period } from '../../features/trading/settings';
import { t } from '../../i18n/i18n';
import { focusTab, lastUsed } from './attention';
import { chooseInMain } from './mainGroup';
import { PANEL_KINDS } from './panels';
import { edit, layout, layouts } from './store';

/** The name of a layout in the user's language, or the user's own. */
export function nameOf(id: LayoutId): string {
  if (isShipped(id)) return t(`workspace.layouts.${id}`);
  return layouts.peek().own.find((one) => one.id === id)?.name ?? '';
}

/** Shows another instrument in a panel, and in all of its group. */
export function pickIn(id: PanelId, code: string): void {
  const group = layout.peek().panels[id]?.link;
  if (group === MAIN_GROUP) chooseInMain(code);
  else edit((now) => (group ? changeShared(now, group, { code }) : changePanel(now, id, { code })));
}

/** A chart has another period, and with it all of its group where they share it. */
function withPeriod(now: Layout, id: PanelId, next: ChartPeriod): Layout {
  const group = now.panels[id]?.link;
  const own = changePanel(now, id, { period: next });
  return group && now.shares.period ? changeShared(own, group, { period: next }) : own;
}

/** Chooses the period of a chart, which new ones begin with. Others that have none of their own keep the former one. */
export function choosePeriod(id: PanelId | undefined, next: ChartPeriod): void {
  const former = period.peek();
  if (id !== undefined) {
    edit((now) => {
      const lacking = Object.keys(now.panels).filter(
        (other) => now.panels[other]?.kind === 'chart' && now.panels[other].period === undefined,
      );
      const kept = lacking.reduce(
        (made, other) => changePanel(made, other, { period: former }),
        now,
      );
      return withPeriod(kept, id, next);
    });
  }
  period.value = next;
}

/** Whether a layout may have one more panel of a kind. */
export function canAdd({ panels }: Layout, kind: string): boolean {
  const all = Object.values(panels);
  const present = all.filter((panel) => panel.kind === kind).length;
  return all.length < MOST_PANELS && present < (PANEL_KINDS.get(kind) ?? 0);
}

/** The stack of an area that was used last, otherwise the end of the area. */
export function targetIn(area: AreaId): Target {
  const beside = lastUsed.peek();
  return beside !== undefined && areaOf(layout.peek(), beside)?.id === area
    ? { into: beside }
    : { area, side: 'end' };
}

/** Adds a panel of a kind to an area, unless the layout has the most of them. */
export function addKind(kind: string, area: AreaId): void {
  const present = layout.peek();
  const added = canAdd(present, kind) && addPanel(present, { kind, link: 1 }, targetIn(area));
  if (!added) return;
  edit(() => added.layout);
  focusTab(added.id);
}
