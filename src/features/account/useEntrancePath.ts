import { useLocation } from 'react-router-dom';

/**
 * The path of another entrance screen, which keeps the path to return to (`from`,
 * screens.md#login-redirect).
 */
export function useEntrancePath(path: '/login' | '/register' | '/forgot'): string {
  const { search } = useLocation();
  const from = new URLSearchParams(search).get('from');
  return from === null ? path : `${path}?${new URLSearchParams({ from })}`;
}
