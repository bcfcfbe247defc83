import { Activity, type CSSProperties, Suspense, useEffect, useRef } from 'react';
import { MarketScreen } from '../features/market/MarketScreen';
import { user } from '../gateway/trading';
import { listPane, ordersExpected, ordersPane, ticketBeside, ticketPane } from '../session/panes';
import { LeftOut, lazyPart } from '../ui/lazyPart';
import { Skeleton } from '../ui/Skeleton';
import { useMediaQuery, WIDE } from '../ui/useMediaQuery';
import { useValue } from '../useValue';
import { ErrorBoundary } from './ErrorBoundary';
import { lazyScreen } from './lazyScreen';
import styles from './Workspace.module.css';

const panes = () => import('./Panes');
const ListSplitter = lazyPart(async () => ({ default: (await panes()).ListSplitter }), LeftOut);
const TradePanes = lazyPart(async () => ({ default: (await panes()).TradePanes }));
const Trade = lazyScreen('/trade');

/** Whether a desktop shows this route in the workspace, side by side with the other one. */
export function isWorkspace(path: string): boolean {
  return path === '/' || path === '/trade';
}

/**
 * Market list and chart: one at a time on a phone, both on a desktop. The list stays mounted
 * (screens.md#home), so that its scroll position and filter survive. `<Activity>` needs a stable
 * child (architecture.md#frames).
 */
export function Workspace({ path }: { path: string }) {
  const wide = useMediaQuery(WIDE);
  const width = useValue(listPane.shown);
  const sizes = {
    '--orders': `${useValue(ordersPane.shown)}px`,
    '--ticket': `${useValue(ticketPane.shown)}px`,
  };
  const beside = useValue(ticketBeside);
  const known = useValue(user);
  const expected = useValue(ordersExpected);
  const loggedIn = known === undefined ? expected : known !== null;
  useEffect(() => {
    if (known !== undefined) ordersExpected.value = known !== null;
  }, [known]);
  const shown = isWorkspace(path);
  const market = path === '/' || (wide && shown);
  const trade = path === '/trade' || (wide && shown);
  // Don't mount the list before it is shown once.
  const used = useRef(false);
  used.current ||= market;
  return (
    <div className={styles.workspace} data-shown={shown || undefined}>
      {used.current && (
        <Activity mode={market ? 'visible' : 'hidden'}>
          <div className={styles.list} style={wide ? { inlineSize: width } : undefined}>
            <ErrorBoundary resetKey={path}>
              <MarketScreen />
            </ErrorBoundary>
          </div>
        </Activity>
      )}
      {wide && shown && (
        <Suspense>
          <ListSplitter />
        </Suspense>
      )}
      {trade && (
        <div
          className={styles.trade}
          style={sizes as CSSProperties}
          data-ticket={beside ? 'beside' : 'dialog'}
          data-orders={loggedIn || undefined}
        >
          <ErrorBoundary resetKey={path}>
            <Suspense fallback={wide && <ChartSkeleton />}>
              <Trade />
            </Suspense>
            {wide && loggedIn && known === undefined && <OrdersSkeleton />}
            {wide && (
              <Suspense fallback={known && <OrdersSkeleton />}>
                <TradePanes />
              </Suspense>
            )}
          </ErrorBoundary>
        </div>
      )}
    </div>
  );
}

/** The head of the chart's pane until its code is there. */
function ChartSkeleton() {
  return (
    <div className={styles.chart}>
      <Skeleton width={8} height={1} />
      <Skeleton width={12} height={1.5} />
    </div>
  );
}

/** The orders of a user until they are there. */
function OrdersSkeleton() {
  return (
    <div className={styles.orders}>
      <Skeleton width={28} height={2.25} />
      <Skeleton width={16} height={1.25} />
      <Skeleton width={28} />
      <Skeleton width={28} />
    </div>
  );
}
