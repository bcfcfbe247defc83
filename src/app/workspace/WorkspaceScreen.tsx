import { use, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { changePanel, type Layout, MAIN_AREA } from '#domain/workspace/layout';
import { PlacedToast } from '../../features/trading/ticket/PlacedToast';
import { gateway } from '../../gateway/client';
import { listRevision } from '../../gateway/pump';
import { useAnswer } from '../../gateway/useAnswer';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { useValue } from '../../useValue';
import { Dock } from './Dock';
import { openDesk } from './desk';
import { edit, layout, loadLayouts } from './store';
import { Toolbar } from './Toolbar';
import { useWorkspaceActions } from './useWorkspaceActions';
import styles from './WorkspaceScreen.module.css';

const loaded = loadLayouts();

/** `/workspace` (screens.md#workspace): the desktop's panels. A narrower window has the other screens. */
export function WorkspaceScreen() {
  const wide = useMediaQuery(WIDE);
  use(loaded);
  return wide ? <Panels /> : <Navigate to="/trade" replace />;
}

function Panels() {
  const asked = new URLSearchParams(useLocation().search).get('desk') ?? undefined;
  useEffect(() => openDesk(asked), [asked]);
  useFirstInstruments();
  useWorkspaceActions(MAIN_AREA);
  return (
    <div className={styles.workspace}>
      <Toolbar />
      <Dock area={MAIN_AREA} />
      <PlacedToast />
    </div>
  );
}

/** Charts of their own that have no instrument yet get the first ones of the list. */
function useFirstInstruments(): void {
  const lacking = useValue(layout);
  const rows = useAnswer(
    listRevision,
    () => gateway.rows({ sort: 'default', descending: false, favourites: [] }, 0, 20),
    [],
  );
  useEffect(() => {
    const codes = rows?.rows.map(({ instrument }) => instrument.code) ?? [];
    if (codes.length > 0 && chartsWithout(lacking).length > 0) {
      edit((now) => withInstruments(now, codes));
    }
  }, [rows, lacking]);
}

function chartsWithout({ panels }: Layout): string[] {
  return Object.keys(panels).filter((id) => {
    const panel = panels[id];
    return panel?.kind === 'chart' && !panel.link && panel.code === undefined;
  });
}

function withInstruments(now: Layout, codes: readonly string[]): Layout {
  const used = new Set(Object.values(now.panels).map(({ code }) => code));
  // The first one is what linked panels show where nothing was chosen.
  const free = codes.filter((code, index) => index > 0 && !used.has(code));
  return chartsWithout(now).reduce(
    (next, id, index) => changePanel(next, id, { code: free[index] ?? codes[0] }),
    now,
  );
}
