import { lazy, Suspense, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { workerFailed } from '../gateway/connect';
import { useT } from '../i18n/i18n';
import { isVariant } from '../session/variant';
import { useValue } from '../signals';
import { BusyOverlay } from '../ui/BusyOverlay';
import { Toasts } from '../ui/Toasts';
import { Banner } from './Banner';
import { ErrorBoundary } from './ErrorBoundary';
import { ROUTES, routeOf } from './routes';
import styles from './Shell.module.css';
import { StatusStrip } from './StatusStrip';
import { TabBar } from './TabBar';
import { useEvents } from './useEvents';
import { useNavigation } from './useNavigation';
import { usePreload } from './usePreload';
import { useSession } from './useSession';
import { useShortcut } from './useShortcut';
import { isWorkspace, Workspace } from './Workspace';

// All it guards comes later, too.
const Guard = lazy(() => import('./Guard'));
const DesktopOffer = lazy(() => import('./DesktopOffer'));

const reload = () => location.reload();

/** What stands around every screen. */
export function Shell() {
  const t = useT();
  const { pathname } = useLocation();
  const [newVersion, setNewVersion] = useState(false);
  const failed = useValue(workerFailed);
  useNavigation();
  useEvents(setNewVersion);
  const gone = useSession();
  usePreload();
  useShortcut();

  return (
    <div className={styles.shell}>
      <StatusStrip />
      {failed && <Banner text={t('errors.worker')} action={t('common.reload')} onAction={reload} />}
      {newVersion && (
        <Banner text={t('common.newVersion')} action={t('common.reload')} onAction={reload} />
      )}
      {isVariant('desktop-host') && (
        <Suspense>
          <DesktopOffer />
        </Suspense>
      )}
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
      {routeOf(pathname)?.footer && <TabBar />}
      <BusyOverlay />
      <Toasts />
    </div>
  );
}
