import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '../i18n/i18n';
import { stored } from '../preferences/stored';
import { IconButton } from '../ui/Button';
import { useValue } from '../useValue';
import { workerApi } from '../worker/workerApi';
import { Banner } from './Banner';
import { desktopAddress } from './desktopHost';

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
        <X size={16} aria-hidden="true" />
      </IconButton>
    </Banner>
  );
}
