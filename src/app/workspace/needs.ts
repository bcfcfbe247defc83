import type { Needs, Size } from '#domain/workspace/fit';
import type { PanelId, Stack } from '#domain/workspace/layout';
import { remToPx } from '../../ui/rem';
import { panelKind } from './panels';
import { layout } from './store';

/** What all charts keep together, rem. */
const CENTRE: Size = { width: 30, height: 20 };
/** Where there is no panel of this kind any more. */
const NO_SIZE: Size = { width: 0, height: 0 };

export const kindOf = (id: PanelId) => panelKind(layout.peek().panels[id]?.kind ?? '');

export const panelGrows = (id: PanelId): boolean => kindOf(id)?.grows === true;

export const isTicket = (id: PanelId): boolean => kindOf(id)?.id === 'ticket';

/** What the panels of the present layout need. A visitor has no stacks of account panels alone. */
export function needsOf(visitor: boolean): Needs {
  const rem = remToPx(1);
  const px = ({ width, height }: Size): Size => ({ width: width * rem, height: height * rem });
  return {
    least: (id) => px(kindOf(id)?.least ?? NO_SIZE),
    grows: panelGrows,
    centre: px(CENTRE),
    // Two buttons open the order form instead.
    yields: isTicket,
    isShown: ({ panels }: Stack) => !visitor || panels.some((id) => !kindOf(id)?.access),
  };
}
