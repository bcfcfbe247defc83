import { computed, effect, untracked } from '@preact/signals-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import {
  changePanel,
  changeShared,
  type Layout,
  MAIN_AREA,
  MAIN_GROUP,
  placedStacks,
} from '#domain/workspace/layout';
import { PriceTitle } from '../../features/trading/PriceTitle';
import { PlacedToast } from '../../features/trading/ticket/PlacedToast';
import { useCurrentRow } from '../../features/trading/useCurrentRow';
import { MarginLevelWarning } from '../../positions/MarginLevelWarning';
import { accountExpected } from '../../preferences/accountExpected';
import { instrument, tradePath } from '../../preferences/instrument';
import { lazyPart } from '../../ui/lazyPart';
import { useValue } from '../../useValue';
import { listRevision } from '../../worker/frameReceiver';
import { user } from '../../worker/trading';
import { workerApi } from '../../worker/workerApi';
import { ListAhead } from '../Workspace';
import { Dock } from './Dock';
import { openBy } from './mainGroup';
import { loadPanels } from './panels';
import { edit, layout, layouts, loadLayouts } from './store';
import { Toolbar } from './Toolbar';
import { useWorkspaceActions } from './useWorkspaceActions';
import styles from './WorkspaceScreen.module.css';
import { announceMain, openWindowGroup } from './windowGroup';

/** The layout, and the code of the panels that it shows first. */
async function load(): Promise<void> {
  announceMain();
  await loadLayouts();
  const { areas, panels } = layout.peek();
  const [main] = areas;
  const shown = main ? placedStacks(main).map(({ stack }) => panels[stack.active]?.kind ?? '') : [];
  await loadPanels([...new Set(shown)]);
}
const loaded = load();

/** The desktop (screens.md#workspace): the panels of the main area. */
export const WorkspaceScreen = lazyPart(
  async () => {
    await loaded;
    return { default: Desktop };
  },
  undefined,
  <ListAhead />,
);
void WorkspaceScreen.preload();

function Desktop() {
  const { pathname, search } = useLocation();
  // The address soon names an instrument instead.
  const [asked] = useState(() => new URLSearchParams(search).get('desk') ?? undefined);
  useEffect(() => openWindowGroup(asked), [asked]);
  const row = useCurrentRow();
  useMainGroup();
  useFirstInstruments();
  useWorkspaceActions(MAIN_AREA);
  const known = useValue(user);
  useEffect(() => {
    if (known !== undefined) accountExpected.value = known !== null;
  }, [known]);
  return (
    <div className={styles.workspace}>
      <Toolbar />
      <MarginLevelWarning />
      <Dock area={MAIN_AREA} />
      <PlacedToast />
      {row && pathname === '/trade' && <PriceTitle row={row} />}
    </div>
  );
}

/** The panels of the main group show the instrument of the address, in all windows. */
function useMainGroup(): void {
  const navigate = useNavigate();
  const open = useEffectEvent((code: string) => void navigate(tradePath(code)));
  useEffect(() => {
    openBy((code) => open(code));
    const current = computed(() => layouts.value.current);
    const stop = effect(() => {
      const code = instrument.value;
      void current.value;
      if (code === undefined || layout.peek().links[MAIN_GROUP]?.code === code) return;
      untracked(() => edit((now) => changeShared(now, MAIN_GROUP, { code })));
    });
    return () => {
      stop();
      openBy(undefined);
    };
  }, []);
}

/** Charts of their own that have no instrument yet get the first ones of the list. */
function useFirstInstruments(): void {
  const lacks = useValue(layoutLacks);
  const revision = useValue(listRevision);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list may be the first one
  useEffect(() => {
    if (!lacks) return;
    void workerApi
      .rows({ sort: 'default', descending: false, favourites: [] }, 0, 20)
      .then(({ rows }) => {
        const codes = rows.map(({ instrument }) => instrument.code);
        if (codes.length > 0 && layoutLacks.peek()) edit((now) => withInstruments(now, codes));
      });
  }, [lacks, revision]);
}

const layoutLacks = computed(() => chartsWithout(layout.value).length > 0);

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
