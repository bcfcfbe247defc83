import { useLocation } from 'react-router-dom';
import { LeftOut, lazyPart, onceLoaded } from '../ui/lazyPart';
import { Redirect } from '../ui/Redirect';
import { unlessLeft } from '../ui/unlessLeft';
import { pricesShown } from '../worker/frameReceiver';
import { user } from '../worker/trading';
import { ErrorBoundary } from './ErrorBoundary';
import { lazyScreen } from './lazyScreen';
import { GUARD, readyScreens } from './readyScreens';
import { type AppRoute, ROUTES, routeOf } from './routes';
import styles from './Shell.module.css';
import { StatusStrip } from './StatusStrip';
import { TabBar } from './TabBar';
import { useNavigation } from './useNavigation';
import { useSession } from './useSession';
import { Workspace } from './Workspace';
import { isWorkspace } from './workspacePaths';

const SCREENS = new Map(ROUTES.map(({ path, file }) => [path, file && lazyScreen(file)]));

// Not in the first chunk, because home needs no guard.
const Guard = onceLoaded(
  () => readyScreens.get(GUARD) as typeof import('./Guard')['default'] | undefined,
  () => unlessLeft(import('./screens').then((screens) => screens.Guard)),
);

const BelowList = lazyPart(async () => {
  await pricesShown();
  return import('./BelowList');
}, LeftOut);

/** Retries every 3 s, because it contains the message that the network is gone. */
const loadDeferred = (): Promise<typeof import('./Deferred')> =>
  import('./Deferred').catch(() =>
    new Promise((retry) => setTimeout(retry, 3000)).then(loadDeferred),
  );
const Deferred = lazyPart(async () => {
  await pricesShown();
  return loadDeferred();
}, LeftOut);

/** The frame around every screen: status strip, screen, tab bar. */
export function Shell() {
  const { pathname, search } = useLocation();
  const route = routeOf(pathname);
  const title = useNavigation(route);
  const usersLeft = useSession();

  return (
    <div className={styles.shell} data-tabs={route?.footer || undefined}>
      <StatusStrip />
      <Deferred />
      {/* The path of the rendered screen, which changes after the address bar. Browser tests wait for it. */}
      <main className={styles.main} tabIndex={-1} data-path={pathname} aria-label={title}>
        <ErrorBoundary resetKey={pathname}>
          <Workspace key={usersLeft} path={route?.path ?? ''} />
          {route?.path === pathname ? (
            <RouteScreen key={pathname} route={route} />
          ) : (
            // A near miss keeps its query; an unknown path goes home without it.
            <Redirect to={route ? route.path + search : above(pathname)} />
          )}
        </ErrorBoundary>
      </main>
      {/* Below the list, whose rows then stay where they are. */}
      {pathname === '/' && <BelowList />}
      {!route?.bare && <TabBar footer={route?.footer === true} />}
    </div>
  );
}

/** Where a path without a screen leads: the screens below `/mine` are the user center's. */
function above(pathname: string): string {
  return pathname === '/mine' && user.peek() ? '/user' : '/';
}

/** The screen of a route; nothing for those that Workspace shows. */
function RouteScreen({ route }: { route: AppRoute }) {
  const Screen = SCREENS.get(route.path);
  if (!Screen || isWorkspace(route.path)) return null;
  return (
    <div className={styles.screen}>
      <Guard route={route}>
        <Screen />
      </Guard>
    </div>
  );
}
