import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isCurrent } from './currentLocation';

/** Leads from the rendered address to another one, which renders no redirect, unless the user has gone on meanwhile. */
export function Redirect({ to }: { to: string }): null {
  const navigate = useNavigate();
  const rendered = useLocation();
  useEffect(() => {
    if (isCurrent(rendered)) void navigate(to, { replace: true });
  }, [navigate, rendered, to]);
  return null;
}
