import { siblingHost } from '#domain/core/hosts';
import { ownDomains } from '../pageSetting';
import { isVariant } from './variant';

/** Mobile browsers; all others count as desktop browsers (screens.md#variants). */
const MOBILE = /Mobi|Android|iPhone|iPad|iPod|webOS|BlackBerry|IEMobile|Opera Mini/i;

export function isMobile(userAgent: string): boolean {
  return MOBILE.test(userAgent);
}

/**
 * The address of the desktop version (screens.md#variants); undefined in a mobile browser, where
 * there is none, and on the desktop host itself.
 */
export function desktopAddress(
  userAgent: string = navigator.userAgent,
  { protocol, host }: Pick<Location, 'protocol' | 'host'> = location,
): string | undefined {
  if (!isVariant('desktop-host') || isMobile(userAgent)) return undefined;
  const desktop = siblingHost(host, 'pc', ownDomains());
  return desktop && desktop !== host ? `${protocol}//${desktop}/` : undefined;
}
