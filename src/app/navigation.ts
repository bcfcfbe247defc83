import { routeOf } from './routes';

/** Screens on which one becomes a user. */
const ENTRANCES = ['/login', '/register', '/forgot'];

export function isEntrance(pathname: string): boolean {
  return ENTRANCES.includes(routeOf(pathname)?.path ?? '');
}

/** The location in the address bar; the router may not have rendered it yet. */
export function currentLocation(): { pathname: string; search: string } {
  return new URL(location.hash.replace(/^#?\/*/, '/'), location.origin);
}

/** The path of the login screen, with the path to return to in `from` (screens.md#login-redirect). */
export function loginPath({ pathname, search }: { pathname: string; search: string }): string {
  if (isEntrance(pathname)) return `/login${search}`;
  const from = pathname + search;
  return from === '/' ? '/login' : `/login?${new URLSearchParams({ from })}`;
}

/** The path that `from` in `search` names: one of our screens, otherwise home. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '';
  const [path = '', ...query] = from.split('?');
  const route = routeOf(path);
  if (!route || isEntrance(path)) return '/';
  return [route.path, ...query].join('?');
}
