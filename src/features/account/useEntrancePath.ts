import { useLocation } from 'react-router-dom';

/** Another way in, which leads on to the same place (`from`, screens.md#login-redirect). */
export function useEntrancePath(path: '/login' | '/register' | '/forgot'): string {
  const { search } = useLocation();
  const from = new URLSearchParams(search).get('from');
  return from === null ? path : `${path}?${new URLSearchParams({ from })}`;
}
