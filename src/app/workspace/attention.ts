import { effect, signal } from '@preact/signals-core';
import type { RefCallback } from 'react';
import { type AreaId, type PanelId, placedStacks } from '#domain/workspace/layout';
import { lastUsed } from '../../shortcuts/actions';
import { focusScreen } from '../../ui/focusScreen';
import { layout } from './store';

export { lastUsed };

/** The panel whose stack fills its area; it is not kept. */
export const maximised = signal<PanelId | undefined>(undefined);

/** Where the chart used last shows its controls. */
export const chartControls = signal<Element | undefined>(undefined);

const lastChart = signal<PanelId | undefined>(undefined);
effect(() => {
  const id = lastUsed.value;
  if (id !== undefined && layout.peek().panels[id]?.kind === 'chart') lastChart.value = id;
});

/** The charts of an area that are in sight. */
export function chartsInSight(areaId: AreaId): PanelId[] {
  const { areas, panels } = layout.value;
  const area = areas.find(({ id }) => id === areaId);
  const large = maximised.value;
  const stacks = area ? placedStacks(area).map(({ stack }) => stack) : [];
  const whole = stacks.filter((stack) => large !== undefined && stack.panels.includes(large));
  return (whole.length > 0 ? whole : stacks)
    .map(({ active }) => active)
    .filter((id) => panels[id]?.kind === 'chart');
}

/** The chart that the toolbar and keys act on: the one used last, if it is in sight. */
export function chartInUse(areaId: AreaId): PanelId | undefined {
  const charts = chartsInSight(areaId);
  const used = lastChart.value;
  return used !== undefined && charts.includes(used) ? used : charts[0];
}

/** Focuses the bars of the chart that the toolbar acts on. */
export function focusChart(areaId: AreaId): void {
  const id = chartInUse(areaId);
  if (id === undefined) return;
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`#panel-${CSS.escape(id)} [role=application]`)?.focus(),
  );
}

export const tabId = (id: PanelId) => `tab-${id}`;

/** Focuses the tab of a panel, once React has put it where it belongs. */
export function focusTab(id: PanelId): void {
  requestAnimationFrame(() => document.getElementById(tabId(id))?.focus());
}

/**
 * Ref of a panel's tabs or of what it shows, which vanish when it is closed, goes to another window or when another layout is
 * chosen. The focus that vanishes with them, or with their open menu, goes to a panel that was beside it, else to a chart where it was
 * in one, or to a tab.
 */
export const passPanelFocus: RefCallback<HTMLElement> = (element) => () => {
  const { activeElement } = document;
  // A menu is no descendant of its button.
  const menu = activeElement?.closest('[role=menu]') && '[aria-haspopup=menu][aria-expanded=true]';
  if (!element?.contains(activeElement) && !(menu && element?.querySelector(menu))) return;
  const beside = [...element.querySelectorAll('[role=tab]')].map(({ id }) => id);
  const bars = activeElement?.matches('[role=application]')
    ? '[data-kind=chart] [role=application],'
    : '';
  requestAnimationFrame(() => {
    // What is only hidden comes back as it was.
    if (element.isConnected || document.activeElement !== document.body) return;
    const next =
      beside.map((id) => document.getElementById(id)).find(Boolean) ??
      document.querySelector<HTMLElement>(`${bars}[role=tab][aria-selected=true]`);
    if (next) next.focus();
    else focusScreen();
  });
};
