import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { user } from '../gateway/trading';
import { useValue } from '../signals';
import { currentLocation, isEntrance, returnPath } from './navigation';

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
  if (before.current !== undefined && before.current !== currentUser?.id) left.current++;
  before.current = currentUser?.id;

  useEffect(() => {
    const former = known.current;
    known.current = currentUser;
    // Undefined: the user was logged in already when the page was opened.
    const entered = currentUser && former !== undefined && currentUser.id !== former?.id;
    if (!entered) return;
    const { pathname, search } = currentLocation();
    if (isEntrance(pathname)) void navigate(returnPath(search), { replace: true });
  }, [currentUser, navigate]);
  return left.current;
}
