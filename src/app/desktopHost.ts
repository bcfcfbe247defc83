import { siblingHost } from '#domain/core/hosts';
import { isVariant } from '../variant';

/** Mobile browsers; all others count as desktop browsers (screens.md#variants). */
const MOBILE = /Mobi|Android|iPhone|iPad|iPod|webOS|BlackBerry|IEMobile|Opera Mini/i;

export function isMobile(userAgent: string): boolean {
  return MOBILE.test(userAgent);
}

/**
 * The address of the desktop version (screens.md#variants); undefined in a mobile browser, where
 * there is none, and on the desktop host itself. `domains`: registrable domains that are known (D143).
 */
export function desktopAddress(
  domains: readonly string[],
  userAgent: string = navigator.userAgent,
  { protocol, host }: Pick<Location, 'protocol' | 'host'> = location,
): string | undefined {
  if (!isVariant('desktop-host') || isMobile(userAgent)) return undefined;
  const desktop = siblingHost(host, 'pc', domains);
  return desktop && desktop !== host ? `${protocol}//${desktop}/` : undefined;
}
