import { Activity, type CSSProperties, useRef } from 'react';
import { MarketList } from '../features/market/MarketList';
import { MarketScreen } from '../features/market/MarketScreen';
import { placeOfList } from '../preferences/listPlace';
import { Redirect } from '../ui/Redirect';
import { useMediaQuery, WIDE } from '../ui/useMediaQuery';
import { ErrorBoundary } from './ErrorBoundary';
import { lazyScreen } from './lazyScreen';
import styles from './Workspace.module.css';
import { isWorkspace, WORKSPACE } from './workspacePaths';

const Trade = lazyScreen('features/trading/TradeScreen');
const Desktop = lazyScreen(WORKSPACE, <ListAhead />);

/**
 * A desktop's workspace; on a phone market list and chart, one at a time. List and workspace stay mounted
 * (screens.md#home), so that their scroll positions and what was typed survive. `<Activity>` needs a stable child
 * (architecture.md#frames).
 */
export function Workspace({ path }: { path: string }) {
  const wide = useMediaQuery(WIDE);
  const shown = isWorkspace(path);
  const desktop = wide && shown;
  const market = !wide && path === '/';
  // Don't mount either before it is shown once.
  const used = useRef({ market, desktop });
  used.current.market ||= market;
  used.current.desktop ||= desktop;
  return (
    <div className={styles.workspace} data-shown={shown || undefined}>
      {used.current.market && (
        <Activity mode={market ? 'visible' : 'hidden'}>
          <div className={styles.list}>
            <ErrorBoundary resetKey={path}>
              <MarketScreen />
            </ErrorBoundary>
          </div>
        </Activity>
      )}
      {used.current.desktop && (
        <Activity mode={desktop ? 'visible' : 'hidden'}>
          <ErrorBoundary resetKey={path}>
            <Desktop />
          </ErrorBoundary>
        </Activity>
      )}
      {!wide && path === '/trade' && (
        <div className={styles.trade}>
          <ErrorBoundary resetKey={path}>
            <Trade />
          </ErrorBoundary>
        </div>
      )}
      {!wide && path === '/workspace' && <Redirect to="/trade" />}
    </div>
  );
}

/** The list of a desktop in the place where the workspace has it, until that is loaded. */
export function ListAhead() {
  return (
    <div className={styles.ahead} style={placeOfList() as CSSProperties}>
      <MarketList />
    </div>
  );
}
