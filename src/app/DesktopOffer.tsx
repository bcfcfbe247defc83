import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { siblingHost } from '#domain/core/hosts';
import { useT } from '../i18n/i18n';
import { stored } from '../preferences/stored';
import { IconButton } from '../ui/Button';
import { useValue } from '../useValue';
import { isVariant } from '../variant';
import { workerApi } from '../worker/workerApi';
import { Banner } from './Banner';

const refused = stored('desktop-refused', false, (value) => value === true);

/**
 * Offers the desktop host to desktop browsers (screens.md#variants) until the user dismisses it.
 */
export default function DesktopOffer() {
  const t = useT();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    void workerApi.ownDomains().then((domains) => setAddress(desktopAddress(domains)));
  }, []);
  const hidden = useValue(refused);
  if (!address || hidden) return null;
  return (
    <Banner
      text={t('company.desktop')}
      action={t('company.openDesktop')}
      onAction={() => location.assign(address + location.hash)}
    >
      <IconButton
        label={t('common.dismiss')}
        onClick={() => {
          refused.value = true;
        }}
      >
        <X size={16} />
      </IconButton>
    </Banner>
  );
}

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
