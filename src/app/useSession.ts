import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { user } from '../gateway/trading';
import { useValue } from '../signals';

/**
 * Leads whoever has become a user on to where they wanted to go (screens.md#login-redirect), whichever
 * tab they did it in. Returns how many users have gone: what was kept alive for
 * them goes with them.
 */
export function useSession(): number {
  const currentUser = useValue(user);
  const navigate = useNavigate();
  const known = useRef(currentUser);
  const gone = useRef(0);
  const before = useRef(currentUser?.id);
  if (before.current !== undefined && before.current !== currentUser?.id) gone.current++;
  before.current = currentUser?.id;

  useEffect(() => {
    const former = known.current;
    known.current = currentUser;
    // Undefined: the page was opened by somebody who was logged in already.
    const entered = currentUser && former !== undefined && currentUser.id !== former?.id;
    if (!entered) return;
    void import('./navigation').then(({ currentLocation, isEntrance, returnPath }) => {
      const { pathname, search } = currentLocation();
      if (isEntrance(pathname)) void navigate(returnPath(search), { replace: true });
    });
  }, [currentUser, navigate]);
  return gone.current;
}
