import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { User } from '#domain/account/user';
import { useT } from '../i18n/i18n';
import { lazyPart } from '../ui/lazyPart';
import { Redirect } from '../ui/Redirect';
import { ScreenHeader } from '../ui/ScreenHeader';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { loginPath } from './navigation';
import { type AppRoute, titleOf } from './routes';

const RealAccountNeeded = lazyPart(() => import('../features/account/RealAccountNeeded'));

/** Why a user may not see a screen. `unknown`: the worker has not reported yet who is logged in. */
export function barrier(
  { access }: AppRoute,
  currentUser: Pick<User, 'demo'> | null | undefined,
): 'none' | 'unknown' | 'login' | 'real-account' {
  if (!access) return 'none';
  if (currentUser === undefined) return 'unknown';
  if (currentUser === null) return 'login';
  return access === 'real' && currentUser.demo ? 'real-account' : 'none';
}

/**
 * Shows a screen only to those who may see it (screens.md#access). Visitors go to the login; demo
 * users read that they need a real account.
 */
export default function Guard({ route, children }: { route: AppRoute; children: ReactNode }) {
  const t = useT();
  const location = useLocation();
  const currentUser = useValue(user);
  switch (barrier(route, currentUser)) {
    case 'none':
      return children;
    case 'unknown':
      return <ScreenHeader title={t(titleOf(route, location.search))} />;
    case 'login':
      return <Redirect to={loginPath(location)} />;
    case 'real-account':
      return (
        <RealAccountNeeded
          title={t(titleOf(route, location.search))}
          from={location.pathname + location.search}
        />
      );
  }
}
