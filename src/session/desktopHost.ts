import { siblingHost } from '#domain/core/hosts';
import { isVariant } from './variant';

/** screens.md#variants: a desktop browser is assumed unless the user agent matches this. */
const MOBILE = /Mobi|Android|iPhone|iPad|iPod|webOS|BlackBerry|IEMobile|Opera Mini/i;

export function isMobile(userAgent: string): boolean {
  return MOBILE.test(userAgent);
}

/** Where the desktop version is (screens.md#variants); undefined for a mobile browser, where there is none, and where this is it. */
export function desktopAddress(
  userAgent: string = navigator.userAgent,
  { protocol, host }: Pick<Location, 'protocol' | 'host'> = location,
): string | undefined {
  if (!isVariant('desktop-host') || isMobile(userAgent)) return undefined;
  const desktop = siblingHost(host, 'pc');
  return desktop && desktop !== host ? `${protocol}//${desktop}/` : undefined;
}
