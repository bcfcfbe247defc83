import { screens } from '../session/screens';

/** Where one becomes a user. */
const ENTRANCES = ['/login', '/register', '/forgot'];

export function isEntrance(pathname: string): boolean {
  return ENTRANCES.includes(pathname);
}

/** Where the address bar says one is: what is drawn may still be on its way there. */
export function here(): { pathname: string; search: string } {
  return new URL(location.hash.slice(1) || '/', location.origin);
}

/** The login screen, which leads back to a path (§2). */
export function wayToLogin({ pathname, search }: { pathname: string; search: string }): string {
  if (isEntrance(pathname)) return `/login${search}`;
  const from = pathname + search;
  return from === '/' ? '/login' : `/login?${new URLSearchParams({ from })}`;
}

/** Where `from` leads once somebody is logged in: to a screen of ours, otherwise home. */
export function wayOn(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '';
  const path = from.split('?')[0] ?? '';
  return screens.has(path) && !isEntrance(path) ? from : '/';
}
