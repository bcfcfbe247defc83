import type { Path } from 'react-router-dom';

/** The location in the address bar. The router may still be rendering the previous one. */
export function currentLocation(): URL {
  return toUrl(location.hash.slice(1));
}

/** Whether a rendered location is the one in the address bar still: the user may have gone on. */
export function isCurrent({ pathname, search, hash }: Path): boolean {
  return toUrl(pathname + search + hash).href === currentLocation().href;
}

/** Of a path of the app. Two of them are spelt alike then, and none leads to another host. */
function toUrl(path: string): URL {
  return new URL(path.replace(/^\/*/, '/'), location.origin);
}
