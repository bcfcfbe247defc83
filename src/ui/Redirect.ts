import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Leads from the rendered address to another one, which renders no redirect, unless the user has gone on meanwhile: the router renders
 * an address later than it changes.
 */
export function Redirect({ to }: { to: string }): null {
  const navigate = useNavigate();
  const location = useLocation();
  useEffect(() => {
    const { key = 'default' } = (history.state ?? {}) as { key?: string };
    if (key === location.key) void navigate(to, { replace: true });
  }, [navigate, location, to]);
  return null;
}
