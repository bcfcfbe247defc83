import { computed, untracked } from '@preact/signals-react';
import { useEffect, useMemo } from 'react';
import { CHART_PERIODS } from '#domain/market/kline';
import {
  type AreaId,
  activatePanel,
  areaOf,
  dockPanel,
  type Layout,
  MAIN_AREA,
  type PanelId,
} from '#domain/workspace/layout';
import { language, t } from '../../i18n/i18n';
import { proposal } from '../../instruments/proposal';
import { useActions } from '../../shortcuts/actions';
import { keyCharacter } from '../../shortcuts/press';
import { useValue } from '../../useValue';
import { useRow } from '../../worker/useRow';
import { workerApi } from '../../worker/workerApi';
import { chartInUse, maximised } from './attention';
import { codeOf } from './mainGroup';
import { addKind, canAdd, choosePeriod, nameOf, pickIn, targetIn } from './panelEdits';
import { PANELS } from './panels';
import { SHIPPED_LAYOUTS } from './shipped';
import { chooseLayout, edit, layout, layouts, undoEdit } from './store';

/** The order form of the layout, in whichever area. */
const ticketOf = ({ panels }: Layout): PanelId | undefined =>
  Object.keys(panels).find((id) => panels[id]?.kind === 'ticket');

/** Shows the order form of an instrument, which may be behind another panel, in another window, show another instrument, or be in no panel. */
function showTicket(area: AreaId, code: string): void {
  if (ticketOf(layout.peek()) === undefined) addKind('ticket', area);
  const ticket = ticketOf(layout.peek());
  if (ticket === undefined) return;
  // What was proposed is known to this page alone: the form comes to it.
  if (areaOf(layout.peek(), ticket)?.id !== area)
    edit((now) => dockPanel(now, ticket, targetIn(area)));
  maximised.value = undefined;
  const shown = codeOf(ticket);
  if (shown !== undefined && shown !== code) pickIn(ticket, code);
  edit((now) => activatePanel(now, ticket));
}

/** The kinds of which there may be one more, as a text. */
const addableKinds = computed(() =>
  PANELS.filter(({ id }) => canAdd(layout.value, id))
    .map(({ id }) => id)
    .join(),
);

/**
 * What keys and the palette do in a workspace (screens.md#keyboard): digits for the period of the
 * chart that was used last, B and S for the order form, layouts and panels by name, undo.
 */
export function useWorkspaceActions(area: AreaId): void {
  const shown = useValue(language);
  const codeOfTicket = useMemo(
    () =>
      computed(() => {
        const ticket = ticketOf(layout.value);
        return ticket === undefined ? undefined : codeOf(ticket);
      }),
    [],
  );
  // Until one is chosen it shows the first of the list.
  const first = useRow(useValue(codeOfTicket))?.instrument.code;
  useActions(`ticket ${first} ${shown}`, () =>
    first === undefined
      ? []
      : (['buy', 'sell'] as const).map((side) => ({
          id: `ticket ${side}`,
          text: () => t(`trade.${side}`),
          key: side === 'buy' ? 'b' : 's',
          run: () => {
            // What was just chosen may not be rendered yet.
            proposal.value = { code: codeOfTicket.peek() ?? first, side };
          },
        })),
  );
  useEffect(
    () =>
      proposal.subscribe((proposed) => {
        if (proposed) untracked(() => showTicket(area, proposed.code));
      }),
    [area],
  );
  useActions(`periods ${area} ${shown}`, () =>
    CHART_PERIODS.map((each, index) => ({
      id: `period ${each}`,
      text: () =>
        t('common.labelled', { label: t('trade.periods'), text: t(`trade.period.${each}`) }),
      ...(index < 9 && { key: String(index + 1) }),
      run: () => choosePeriod(chartInUse(area), each),
    })),
  );
  const own = useValue(layouts)
    .own.map(({ id, name }) => `${id} ${name}`)
    .join();
  const addable = useValue(addableKinds);
  useActions(`layouts ${area} ${own} ${addable} ${shown}`, () => {
    const ids = area === MAIN_AREA ? layouts.peek().own.map(({ id }) => id) : [];
    const shipped = area === MAIN_AREA ? SHIPPED_LAYOUTS : [];
    return [
      { id: 'refresh', text: () => t('common.refresh'), run: () => void workerApi.refreshList() },
      { id: 'undo', text: () => named(t('trade.draw.undo')), run: () => undoEdit() },
      { id: 'redo', text: () => named(t('trade.draw.redo')), run: () => undoEdit(true) },
      ...[...shipped, ...ids].map((id) => ({
        id: `layout ${id}`,
        text: () => t('workspace.layout', { name: nameOf(id) }),
        run: () => chooseLayout(id),
      })),
      ...PANELS.filter(({ id }) => canAdd(layout.peek(), id)).map(({ id, title }) => ({
        id: `add ${id}`,
        text: () => t('common.labelled', { label: t('workspace.add'), text: t(title) }),
        run: () => addKind(id, area),
      })),
    ];
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isZ = keyCharacter(event) === 'z' && (event.ctrlKey || event.metaKey);
      if (!isZ || event.altKey || event.defaultPrevented) return;
      // In a panel the keys are those of what it shows: a text, drawings.
      if ((event.target as Element).closest('[role=tabpanel], [role=dialog], input')) return;
      event.preventDefault();
      undoEdit(event.shiftKey);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const named = (action: string) =>
  t('common.labelled', { label: t('workspace.title'), text: action });
