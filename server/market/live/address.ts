/** A path of an exchange at its own address, or at the one that replaces it (a proxy, a test). */
export function addressAt(own: string, instead: string, path = ''): string {
  if (!instead) return own + path;
  const { pathname } = new URL(own);
  return instead.replace(/\/$/, '') + (pathname === '/' ? '' : pathname) + path;
}

/** Exchanges ask that programs name themselves. */
export const USER_AGENT = 'Fulcrum/0.1 (sandbox of leveraged trading)';
