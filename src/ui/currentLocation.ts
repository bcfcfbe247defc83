/** The location in the address bar. The router may still be rendering the previous one. */
export function currentLocation(): { pathname: string; search: string } {
  return new URL(location.hash.replace(/^#?\/*/, '/'), location.origin);
}
