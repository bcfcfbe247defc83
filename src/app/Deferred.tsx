import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { toDurationMs } from '#domain/core/time';
import { alertWish } from '../alerts/alertWish';
import { language, t, useT } from '../i18n/i18n';
import { saveLastSeen } from '../instruments/lastSeen';
import { marketView } from '../instruments/marketView';
import { proposal } from '../instruments/proposal';
import { reloadAnew } from '../pageFiles';
import { pageSetting } from '../pageSetting';
import { dataSaverOn } from '../preferences/dataSaver';
import { marketQuery } from '../preferences/marketQuery';
import { orderSeconds, overlayShown } from '../preferences/preferences';
import { keyboardShown } from '../shortcuts/shown';
import { BusyOverlay } from '../ui/BusyOverlay';
import { codeMissing, lazyPart, ToldInBanner } from '../ui/lazyPart';
import { Toasts } from '../ui/Toasts';
import { useLastDefined } from '../ui/useLastDefined';
import { useValue } from '../useValue';
import { isVariant } from '../variant';
import { slowPrices } from '../worker/frameReceiver';
import { liveQuote, peekQuote } from '../worker/quotes';
import { latestRows } from '../worker/rows';
import { user } from '../worker/trading';
import { layoutsUnsaved, workerUnsaved } from '../worker/unsaved';
import { workerApi, workerFailed } from '../worker/workerApi';
import { Banner, Banners } from './Banner';
import { AlertSheet, KeyboardSheet } from './lazyParts';
import { SilentHostBanner } from './SilentHostBanner';
import { newVersion, takeNewVersion } from './serviceWorker';
import { useServiceWorkerErrors } from './serviceWorkerErrors';
import { UnansweredBanner } from './UnansweredBanner';
import { useEvents } from './useEvents';
import { useFrameInterval } from './useFrameInterval';
import { usePreload } from './usePreload';
import { useSettingsSync } from './useSettingsSync';
import { useShortcuts } from './useShortcuts';
import { isWorkspace } from './workspacePaths';

const DesktopOffer = lazyPart(() => import('./DesktopOffer'), ToldInBanner);
const Overlay = lazyPart(() => import('./Overlay'), ToldInBanner);

const reload = () => void reloadAnew();

/** Everything around the screens that can load after the first prices. */
export default function Deferred() {
  const t = useT();
  const failed = useValue(workerFailed);
  const slow = useValue(slowPrices);
  const unsaved = [useValue(workerUnsaved), useValue(layoutsUnsaved)].includes(true);
  const missing = useValue(codeMissing);
  const offered = useValue(newVersion);
  const overlay = useValue(overlayShown);
  const userId = useValue(user)?.id;
  const alerting = useLastDefined(useValue(alertWish)) !== undefined;
  const keyboard = useLastDefined(useValue(keyboardShown)) !== undefined;
  useEvents();
  useDataSaver();
  useOrderTime();
  useFrameInterval();
  useLastSeen();
  usePreload();
  useSettingsSync();
  useShortcuts();
  useVitals();
  useWishes();
  useServiceWorkerErrors();

  return (
    <>
      <Banners>
        {failed && (
          <Banner text={t('errors.worker')} action={t('common.reload')} onAction={reload} />
        )}
        <SilentHostBanner />
        {slow && <Banner warning text={t('link.slowHint')} />}
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
        {isVariant('desktop-host') && <DesktopOffer />}
      </Banners>
      {overlay && <Overlay />}
      {alerting && <AlertSheet />}
      {keyboard && <KeyboardSheet />}
      <BusyOverlay />
      <Toasts user={userId} />
    </>
  );
}

/** Measures this visit where the operator wants it and chance picks it (protocol.md#vitals). */
export function useVitals(): void {
  useEffect(() => {
    if (Math.random() >= Number(pageSetting('vitals-share'))) return;
    // Where it can't be loaded, this visit is not among them.
    import('./vitals').then(({ measureVisit }) => measureVisit()).catch(() => {});
  }, []);
}

/** What was asked for on a screen opens on no later one: its code may come when that was left. */
export function useWishes(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (alertWish.peek()?.screen !== pathname) alertWish.value = undefined;
    if (!isWorkspace(pathname)) proposal.value = undefined;
    return () => {
      // A row of the list proposes an order for the screen that it leads to.
      if (pathname === '/trade') proposal.value = undefined;
    };
  }, [pathname]);
}

/** Informs the worker when the data saver is switched on or off. */
function useDataSaver(): void {
  const on = useValue(dataSaverOn);
  useEffect(() => {
    void workerApi.setDataSaver(on);
  }, [on]);
}

/** Informs the worker how long the user's orders are valid. */
function useOrderTime(): void {
  const seconds = useValue(orderSeconds);
  useEffect(() => {
    void workerApi.setOrderTime(toDurationMs(seconds * 1000));
  }, [seconds]);
}

/** More rows than fit on a phone. */
const MOST = 24;

/** Saves the first rows of the list for the first paint of the next visit. */
function save(): void {
  if (!document.hidden) return;
  const query = marketQuery.peek();
  const { listed } = marketView;
  const window = listed && latestRows(listed);
  if (!window || window.from > 0 || window.rows.length === 0) return;
  const rows = window.rows.slice(0, MOST).map((row) => {
    const { arrived, stale, ...quote } = peekQuote(row.instrument.id) ?? liveQuote(row);
    return { instrument: row.instrument, quote, arrived, stale };
  });
  saveLastSeen(language.peek(), query, { closed: t('market.closed'), rows });
}

function useLastSeen(): void {
  useEffect(() => {
    document.addEventListener('visibilitychange', save);
    return () => document.removeEventListener('visibilitychange', save);
  }, []);
}
