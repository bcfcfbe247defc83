import { Suspense } from 'react';
import { alertWish } from '../alerts/alertWish';
import { useT } from '../i18n/i18n';
import { reloadAnew } from '../pageFiles';
import { overlayShown } from '../preferences/preferences';
import { keyboardShown } from '../shortcuts/shown';
import { BusyOverlay } from '../ui/BusyOverlay';
import { codeMissing, lazyPart, ToldInBanner } from '../ui/lazyPart';
import { Toasts } from '../ui/Toasts';
import { useLastDefined } from '../ui/useLastDefined';
import { useValue } from '../useValue';
import { isVariant } from '../variant';
import { layoutsUnsaved, workerUnsaved } from '../worker/unsaved';
import { workerFailed } from '../worker/workerApi';
import { Banner } from './Banner';
import { SilentHostBanner } from './SilentHostBanner';
import { newVersion, takeNewVersion } from './serviceWorker';
import { UnansweredBanner } from './UnansweredBanner';
import { useDataSaver } from './useDataSaver';
import { useEvents } from './useEvents';
import { useFrameInterval } from './useFrameInterval';
import { useLastSeen } from './useLastSeen';
import { useOrderTime } from './useOrderTime';
import { usePreload } from './usePreload';
import { useShortcuts } from './useShortcuts';
import { useVitals } from './useVitals';

const AlertSheet = lazyPart(() => import('../alerts/AlertSheet'), ToldInBanner);
const DesktopOffer = lazyPart(() => import('./DesktopOffer'), ToldInBanner);
const KeyboardSheet = lazyPart(() => import('./KeyboardSheet'), ToldInBanner);
const Overlay = lazyPart(() => import('./Overlay'), ToldInBanner);

const reload = () => void reloadAnew();

/** Everything around the screens that can load after the first prices. */
export default function Deferred() {
  const t = useT();
  const failed = useValue(workerFailed);
  const unsaved = [useValue(workerUnsaved), useValue(layoutsUnsaved)].includes(true);
  const missing = useValue(codeMissing);
  const offered = useValue(newVersion);
  const overlay = useValue(overlayShown);
  const alerting = useLastDefined(useValue(alertWish)) !== undefined;
  const keyboard = useLastDefined(useValue(keyboardShown)) !== undefined;
  useEvents();
  useDataSaver();
  useOrderTime();
  useFrameInterval();
  useLastSeen();
  usePreload();
  useShortcuts();
  useVitals();

  return (
    <>
      {failed && <Banner text={t('errors.worker')} action={t('common.reload')} onAction={reload} />}
      <SilentHostBanner />
      {missing && (
        <Banner text={t('errors.loading')} action={t('common.retry')} onAction={reload} />
      )}
      <UnansweredBanner />
      {unsaved && <Banner warning text={t('errors.unsaved')} />}
      {offered && (
        <Banner
          text={t('common.newVersion')}
          action={t('common.reload')}
          onAction={() => void takeNewVersion()}
        />
      )}
      <Suspense>
        {isVariant('desktop-host') && <DesktopOffer />}
        {overlay && <Overlay />}
        {alerting && <AlertSheet />}
        {keyboard && <KeyboardSheet />}
      </Suspense>
      <BusyOverlay />
      <Toasts />
    </>
  );
}
