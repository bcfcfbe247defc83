import { signal } from '@preact/signals-core';
import type { PanelId } from '#domain/workspace/layout';

export { lastUsed } from '../../shortcuts/actions';

/** The panel whose stack fills its area; it is not kept. */
export const maximised = signal<PanelId | undefined>(undefined);

export const tabId = (id: PanelId) => `tab-${id}`;

/** Focuses the tab of a panel, once React has put it where it belongs. */
export function focusTab(id: PanelId): void {
  requestAnimationFrame(() => document.getElementById(tabId(id))?.focus());
}
