import { computed } from '@preact/signals-react';
import { useMemo } from 'react';
import { changeShared, MAIN_GROUP, type PanelId, shownBy } from '#domain/workspace/layout';
import { instrument } from '../../preferences/instrument';
import { useValue } from '../../useValue';
import { edit, layout } from './store';

/** Shows an instrument in a page with an address, which then names it. */
let open: ((code: string) => void) | undefined;

/** `navigate`: undefined while another screen covers the workspace, which then stays. */
export function openBy(navigate: typeof open): void {
  open = navigate;
}

/** Shows an instrument in the panels of the main group, in all windows. */
export function chooseInMain(code: string): void {
  if (open) {
    open(code);
    return;
  }
  instrument.value = code;
  edit((now) => changeShared(now, MAIN_GROUP, { code }));
}

/** Shows the instrument that another window has chosen for the main group. */
export function followMain(): void {
  const code = layout.peek().links[MAIN_GROUP]?.code;
  if (code === undefined || code === instrument.peek()) return;
  if (open) open(code);
  else instrument.value = code;
}

/** Code of the instrument that a panel shows; undefined until one is chosen. */
export function codeOf(id: PanelId): string | undefined {
  if (layout.value.panels[id]?.link === MAIN_GROUP) return instrument.value;
  return shownBy(layout.value, id).code;
}

export function useCode(id: PanelId): string | undefined {
  return useValue(useMemo(() => computed(() => codeOf(id)), [id]));
}
