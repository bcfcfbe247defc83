import { computed } from '@preact/signals-react';
import { AppWindow } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type AreaId, areaOf, type PanelId } from '#domain/workspace/layout';
import { PlacedToast } from '../../features/trading/ticket/PlacedToast';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { lazyPart } from '../../ui/lazyPart';
import { EmptyState } from '../../ui/State';
import { useValue } from '../../useValue';
import { chartInUse, lastUsed } from './attention';
import { ChartBar } from './ChartBar';
import { Dock } from './Dock';
import { chooseInMain } from './mainGroup';
import { pickIn } from './panelEdits';
import { panelKind } from './panels';
import { layout, loadLayouts } from './store';
import { useWorkspaceActions } from './useWorkspaceActions';
import styles from './WorkspaceScreen.module.css';
import { joinWindowGroup, mainLost, reopenMain } from './windowGroup';

const loaded = loadLayouts();

/** Shows another instrument in the panel of this window that was used last, where that shows none in its chart. */
export function pickInWindow(area: AreaId, code: string): void {
  const used = lastUsed.peek();
  const { panels } = layout.peek();
  const picks = (id: PanelId) => panelKind(panels[id]?.kind ?? '')?.instrument !== undefined;
  const isUsed = used !== undefined && areaOf(layout.peek(), used)?.id === area && picks(used);
  const id = isUsed ? used : chartInUse(area);
  if (id === undefined) chooseInMain(code);
  else pickIn(id, code);
}

/** `/panel` (screens.md#windows): the panels of one window of a workspace. */
export const PanelScreen = lazyPart(async () => {
  await loaded;
  return { default: PanelWindow };
});
void PanelScreen.preload();

function PanelWindow() {
  const t = useT();
  const [query] = useState(new URLSearchParams(useLocation().search));
  const area = query.get('area') ?? '';
  const [joined] = useState(() =>
    joinWindowGroup(query.get('desk') ?? '', query.get('layout') ?? '', area),
  );
  // The main page tells of it also where the device's storage is slow.
  const isPlaced = useMemo(
    () => computed(() => layout.value.areas.some(({ id }) => id === area)),
    [area],
  );
  const known = useValue(isPlaced) && joined;
  const lost = useValue(mainLost);
  const hasChart = useValue(useMemo(() => computed(() => chartInUse(area) !== undefined), [area]));
  useWorkspaceActions(area);
  return (
    <div className={styles.workspace}>
      {lost && known && (
        <div className={styles.lost} role="alert">
          <span>{t('workspace.mainGone')}</span>
          <Button variant="quiet" onClick={reopenMain}>
            {t('workspace.reopenMain')}
          </Button>
        </div>
      )}
      <h1 className="visually-hidden">{t('workspace.title')}</h1>
      {known && hasChart && <ChartBar area={area} label={t('trade.tools.label')} />}
      {known ? (
        <Dock area={area} />
      ) : (
        <EmptyState
          icon={<AppWindow size={24} />}
          title={t('workspace.noWindow')}
          action={<ButtonLink to="/workspace">{t('workspace.title')}</ButtonLink>}
        />
      )}
      <PlacedToast />
    </div>
  );
}
