import { useEffect, useRef } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router-dom';
import { currentLocation } from '../ui/currentLocation';
import { entryState } from '../ui/sheetHistory';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { isEntrance, returnPath } from './navigation';

/**
 * Goes back over the entrances that led to this one, and from the first to the path in `from`. False where there is
 * none any more.
 */
function leaveEntrance(navigate: NavigateFunction): boolean {
  const { pathname, search } = currentLocation();
  if (!isEntrance(pathname)) return false;
  const [, former = ''] = entryState().before?.split(/[#?]/) ?? [];
  if (isEntrance(former)) void navigate(-1);
  else void navigate(returnPath(search), { replace: true });
  return true;
}

/**
 * After a login in any tab, navigates from the entrance screens to the path in `from`
 * (screens.md#login-redirect). Returns how many users have left; used as a key, it unmounts what
 * was kept alive for them.
 */
export function useSession(): number {
  const currentUser = useValue(user);
  const navigate = useNavigate();
  const known = useRef(currentUser);
  const left = useRef(0);
  const before = useRef(currentUser?.id);
  /** After a login, until no entrance is left. */
  const leaving = useRef(false);
  if (before.current !== undefined && before.current !== currentUser?.id) left.current++;
  before.current = currentUser?.id;

  useEffect(() => {
    const former = known.current;
    known.current = currentUser;
    // Undefined: the user was logged in already when the page was opened.
    const entered = currentUser && former !== undefined && currentUser.id !== former?.id;
    if (entered) leaving.current = leaveEntrance(navigate);
  }, [currentUser, navigate]);

  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history counts
  useEffect(() => {
    if (leaving.current) leaving.current = leaveEntrance(navigate);
  }, [key, navigate]);
  return left.current;
}
