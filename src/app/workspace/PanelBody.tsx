import { computed } from '@preact/signals-react';
import { LogIn } from 'lucide-react';
import { memo, useCallback, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ChartPeriod } from '#domain/market/kline';
import {
  activatePanel,
  areaOf,
  changePanel,
  type PanelId,
  shownBy,
} from '#domain/workspace/layout';
import { InstrumentSheet } from '../../features/trading/InstrumentSheet';
import { useT } from '../../i18n/i18n';
import { ActionPanel } from '../../shortcuts/actions';
import { Button } from '../../ui/Button';
import { Embedded } from '../../ui/embedded';
import { Skeleton } from '../../ui/Skeleton';
import { EmptyState } from '../../ui/State';
import { useValue } from '../../useValue';
import { VisitorChoices } from '../../visitors/VisitorChoices';
import { user } from '../../worker/trading';
import { useLacking } from '../../worker/useLacking';
import { useRow } from '../../worker/useRow';
import { ErrorBoundary } from '../ErrorBoundary';
import { chartControls, chartInUse } from './attention';
import styles from './Dock.module.css';
import { useCode } from './mainGroup';
import { PanelRouter } from './PanelRouter';
import { choosePeriod, pickIn } from './panelEdits';
import { PANEL_COMPONENTS, panelKind } from './panels';
import { edit, layout } from './store';
import { sharedCrosshair } from './windowGroup';

/** The content of a panel. It renders when what it shows changes, not when the layout moves. */
export const PanelBody = memo(function PanelBody({ id }: { id: PanelId }) {
  const [panelOf, shown, shares, controls] = useMemo(
    () => [
      computed(() => layout.value.panels[id]),
      computed(() => shownBy(layout.value, id).period),
      computed(() => layout.value.shares.crosshair),
      computed(() => {
        const area = areaOf(layout.value, id);
        return area && chartInUse(area.id) === id ? chartControls.value : undefined;
      }),
    ],
    [id],
  );
  const panel = useValue(panelOf);
  const period = useValue(shown);
  const sharesCrosshair = useValue(shares);
  const toolbar = useValue(controls);
  const code = useCode(id);
  const kind = panelKind(panel?.kind ?? '');
  const row = useRow(kind?.instrument ? code : undefined);
  const lacking = useLacking(kind?.instrument ? code : undefined);
  const pick = useCallback((next: string) => pickIn(id, next), [id]);
  const setPeriod = useCallback((next: ChartPeriod) => choosePeriod(id, next), [id]);
  const save = useCallback(
    (settings: unknown) => edit((now) => changePanel(now, id, { settings })),
    [id],
  );
  const Content = PANEL_COMPONENTS.get(kind?.id ?? '');
  if (!panel || !kind || !Content) return null;
  return (
    <PanelFrame kind={kind.id} paths={kind.paths} pick={pick}>
      <ActionPanel.Provider value={id}>
        <Barrier access={kind.access}>
          {lacking && code !== undefined ? (
            <LackingInstrument code={code} />
          ) : (
            <Content
              row={row}
              pick={pick}
              period={period}
              setPeriod={setPeriod}
              settings={panel.settings}
              save={save}
              crosshair={sharesCrosshair ? sharedCrosshair : undefined}
              toolbar={toolbar}
            />
          )}
        </Barrier>
      </ActionPanel.Provider>
    </PanelFrame>
  );
});

/** Shows the instrument, in the ticket or a chart where the panel itself shows none. */
function showTrade(code: string | undefined, pick: (code: string) => void): void {
  if (code !== undefined) {
    pick(code);
    return;
  }
  edit((now) => {
    const [next] = Object.keys(now.panels).filter((id) =>
      ['ticket', 'chart'].includes(now.panels[id]?.kind ?? ''),
    );
    return next === undefined ? now : activatePanel(now, next);
  });
}

interface PanelFrameProps {
  kind: string;
  paths: readonly string[] | undefined;
  pick(code: string): void;
  children: React.ReactNode;
}

function PanelFrame({ kind, paths, pick, children }: PanelFrameProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <PanelRouter
      start={paths?.[0] ?? pathname + search}
      own={paths ?? []}
      onLeave={navigate}
      onTrade={(code) => showTrade(code, pick)}
    >
      <ErrorBoundary resetKey={kind}>
        <AtRoot root={paths?.[0]}>{children}</AtRoot>
      </ErrorBoundary>
    </PanelRouter>
  );
}

/** Tells the screen in a panel that the panel's tab is its title. */
function AtRoot({ root, children }: { root: string | undefined; children: React.ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Embedded.Provider value={root === undefined || pathname === root ? 'root' : 'inner'}>
      {children}
    </Embedded.Provider>
  );
}

function Barrier({ access, children }: { access: 'user' | undefined; children: React.ReactNode }) {
  const current = useValue(user);
  if (!access || current) return children;
  return current === null ? <VisitorNote /> : <AccountSkeleton />;
}

/** Until it is known who the user is. */
function AccountSkeleton() {
  return (
    <div className={styles.skeleton}>
      <Skeleton width={28} height={2.25} />
      <Skeleton width={16} height={1.25} />
      <Skeleton width={28} />
    </div>
  );
}

/** In place of a panel that only users see. */
function VisitorNote() {
  const t = useT();
  return (
    <EmptyState
      icon={<LogIn size={24} />}
      title={t('workspace.visitor')}
      action={<VisitorChoices from="/workspace" />}
    />
  );
}

/** In the place of a panel whose instrument the server does not have: the user chooses another one. */
function LackingInstrument({ code }: { code: string }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <EmptyState
        title={t('trade.unknownCode', { code })}
        action={<Button onClick={() => setOpen(true)}>{t('trade.instruments')}</Button>}
      />
      <InstrumentSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}
