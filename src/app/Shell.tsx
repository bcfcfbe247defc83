import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { pricesShown } from '../gateway/pump';
import { ErrorBoundary } from './ErrorBoundary';
import { ROUTES, routeOf } from './routes';
import styles from './Shell.module.css';
import { StatusStrip } from './StatusStrip';
import { TabBar } from './TabBar';
import { useNavigation } from './useNavigation';
import { useSession } from './useSession';
import { isWorkspace, Workspace } from './Workspace';

// All it guards comes later, too.
const Guard = lazy(async () => ({ default: (await import('./screens')).Guard }));

/** It may say that there is no network: its code is sought until it is found. */
const loadLater = (): Promise<typeof import('./Deferred')> =>
  import('./Deferred').catch(() => new Promise((again) => setTimeout(again, 3000)).then(loadLater));
const Later = lazy(() => pricesShown().then(loadLater));

/** What stands around every screen. */
export function Shell() {
  const { pathname } = useLocation();
  useNavigation();
  const gone = useSession();

  return (
    <div className={styles.shell}>
      <StatusStrip />
      <Suspense>
        <Later />
      </Suspense>
      <main className={styles.main} tabIndex={-1}>
        <ErrorBoundary resetKey={pathname}>
          <Workspace key={gone} pathname={pathname} />
          <Suspense>
            <Routes>
              {ROUTES.map((route) => (
                <Route
                  key={route.path}
                  path={route.path}
                  element={
                    isWorkspace(route.path) ? null : (
                      <div className={styles.screen}>
                        <Guard route={route}>
                          <route.Screen />
                        </Guard>
                      </div>
                    )
                  }
                />
              ))}
              <Route path="*" element={<Navigate to="/" replace />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </main>
      <TabBar footer={routeOf(pathname)?.footer === true} />
    </div>
  );
}
