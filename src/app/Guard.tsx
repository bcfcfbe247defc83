import { lazy, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { user } from '../gateway/trading';
import { type StringKey, useT } from '../i18n/i18n';
import { useValue } from '../signals';
import { ScreenHeader } from '../ui/ScreenHeader';
import { barrier } from './access';
import { wayToLogin } from './navigation';

const RealAccountNeeded = lazy(() => import('../features/account/RealAccountNeeded'));

interface GuardProps {
  route: { path: string; title: StringKey };
  children: ReactNode;
}

/** Lets in whom a screen is for (§6), and tells all others how to become one. */
export default function Guard({ route, children }: GuardProps) {
  const t = useT();
  const location = useLocation();
  const who = useValue(user);
  switch (barrier(route.path, who)) {
    case 'none':
      return children;
    case 'unknown':
      return <ScreenHeader title={t(route.title)} />;
    case 'login':
      return <Navigate to={wayToLogin(location)} replace />;
    case 'real-account':
      return (
        <RealAccountNeeded title={t(route.title)} from={location.pathname + location.search} />
      );
  }
}
