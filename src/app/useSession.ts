import { useEffect, useRef } from 'react';
import {
  type NavigateFunction,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router-dom';
import { user } from '../gateway/trading';
import { useValue } from '../signals';
import { entryState } from '../ui/sheetHistory';
import { currentLocation, isEntrance, returnPath } from './navigation';

/** Goes back over the entrances that led to this one, and from the first to the path in `from`. */
function leaveEntrance(navigate: NavigateFunction): void {
  const { pathname, search } = currentLocation();
  if (!isEntrance(pathname)) return;
  const [former = ''] = (entryState().before ?? '').slice(1).split('?');
  if (isEntrance(former)) void navigate(-1);
  else void navigate(returnPath(search), { replace: true });
}

/**
 * After a login in any tab, navigates from the entrance screens to the path in `from`
 * (screens.md#login-redirect). A real user who comes back to one is led on as well (D156). Returns how many users have left;
 * used as a key, it unmounts what was kept alive for them.
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
    if (!entered) return;
    leaving.current = isEntrance(currentLocation().pathname);
    leaveEntrance(navigate);
  }, [currentUser, navigate]);

  const { key } = useLocation();
  const type = useNavigationType();
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    leaving.current &&= isEntrance(currentLocation().pathname);
    // What is typed into the address bar has no index.
    const returns = type === 'POP' && typeof entryState().idx === 'number';
    if (leaving.current || (returns && user.peek()?.demo === false)) leaveEntrance(navigate);
  }, [key, type, navigate]);
  return left.current;
}
