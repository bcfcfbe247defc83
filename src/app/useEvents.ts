import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Order } from '#domain/trading/order';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { syncPush } from '../alerts/permission';
import { t } from '../i18n/i18n';
import { welcomeRead } from '../preferences/hidden';
import { invalidateChanged } from '../requests/queries';
import { showFailure } from '../requests/showFailure';
import { busy } from '../ui/BusyOverlay';
import { currentLocation } from '../ui/currentLocation';
import { withCode } from '../ui/lazyPart';
import { showToast, showToastHere } from '../ui/toastStore';
import { useValue } from '../useValue';
import { alertsRevision } from '../worker/alerts';
import { onEvent } from '../worker/frameReceiver';
import { user } from '../worker/trading';
import { loginPath } from './navigation';
import { showOutcome } from './requestText';
import { portal, silentHost } from './SilentHostBanner';
import { newVersionPublished } from './serviceWorker';
import { idle } from './usePreload';

/** Imported on demand, because the first screen needs no order texts or formats. */
const orderTexts = () => import('../positions/notifyOrderEnded');

const notifications = () => import('../alerts/notifications');

const attention = () => import('../alerts/attention');

const requiredVersion = () => import('./requiredVersion');

/** Whom the server's messages to this browser are for; nobody has any before they are allowed. */
async function keepPushed(): Promise<void> {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  await idle();
  await syncPush();
}

function confirmClosed(text: string, closed: Order): void {
  orderTexts().then(
    (texts) => texts.confirmClosed(text, closed),
    () => showToast(text),
  );
}

/** Shows the worker's events: toasts, spinner, redirects (screens.md#messages). */
export function useEvents(): void {
  const navigate = useNavigate();
  const currentUser = useValue(user);
  const known = useRef(currentUser);
  useEffect(() => {
    const left = known.current && known.current.id !== currentUser?.id;
    known.current = currentUser;
    if (currentUser) welcomeRead.value = true;
    // What they say is the former user's.
    if (left) withCode(notifications, ({ closeNotifications }) => void closeNotifications());
    if (currentUser !== undefined) void keepPushed();
  }, [currentUser]);
  useEffect(() => {
    const handle = (event: WorkerEvent) => {
      switch (event.type) {
        case 'notice':
          // A confirmation outlives the screen that it leads away from.
          if (event.tone === 'error') showToastHere(event.text, 'error');
          else if (event.closed) confirmClosed(event.text, event.closed);
          else showToast(event.text);
          return;
        case 'failure':
          return showFailure(event.failure);
        case 'request-settled':
          // Nobody else waits for it after a reload or another login.
          void invalidateChanged(event.subject.kind);
          return showOutcome(event);
        case 'busy':
          busy.value = event.busy;
          return;
        case 'silent':
          silentHost.value = event.host;
          portal.value = event.isPortal;
          return;
        case 'leave':
          // The worker has checked that this is an http or https address.
          if (event.url) location.assign(event.url);
          else showToast(t('errors.outOfService'), 'error');
          return;
        case 'signed-out':
          // A hidden page hears late of it: its user may have logged in again in another tab.
          if (event.initial || user.peek()) return;
          showToast(t('errors.signedOut'), 'error');
          void navigate(loginPath(currentLocation()), { replace: true });
          return;
        case 'alerts-changed':
          alertsRevision.value += 1;
          return;
        case 'alert-triggered':
          withCode(notifications, ({ alertTriggered }) => alertTriggered(event.alert));
          withCode(attention, ({ call }) => call('alerts'));
          return;
        case 'margin-warning':
          withCode(notifications, ({ marginWarned }) => marginWarned(event.state));
          return;
        case 'order-closed':
          withCode(notifications, ({ orderEnded }) => orderEnded(event));
          withCode(orderTexts, ({ notifyOrderEnded }) => notifyOrderEnded(event));
          withCode(attention, ({ call }) => call('orders'));
          return;
        case 'order-changed':
          // Filled, by the market or at once; a change of its stops is not.
          if (event.order.status === 'holding' && event.before?.status !== 'holding') {
            withCode(attention, ({ call }) => call('orders'));
          }
          return;
        case 'new-version':
          newVersionPublished();
          if (!event.required) return;
          return withCode(requiredVersion, ({ takeWhenFree }) => takeWhenFree(event.version));
      }
    };
    return onEvent(handle);
  }, [navigate]);
}
