import { routeOf } from './routes';

/** Screens that log a user in. */
const ENTRANCES = ['/login', '/register', '/forgot'];

export function isEntrance(pathname: string): boolean {
  return ENTRANCES.includes(routeOf(pathname)?.path ?? '');
}

/**
 * The path of the login screen, which returns to the given location (`from`,
 * screens.md#login-redirect).
 */
export function loginPath({ pathname, search }: { pathname: string; search: string }): string {
  if (isEntrance(pathname)) return `/login${search}`;
  const from = pathname + search;
  return from === '/' ? '/login' : `/login?${new URLSearchParams({ from })}`;
}

/** The path in `from` if it is one of our screens, otherwise home. Never leads to another site. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '';
  const [path = '', ...query] = from.split('?');
  const route = routeOf(path);
  if (!route || isEntrance(path)) return '/';
  return [route.path, ...query].join('?');
}
