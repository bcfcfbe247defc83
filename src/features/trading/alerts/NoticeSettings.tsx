import { useEffect, useId } from 'react';
import { NOTICE_KINDS, type NoticeKind } from '#domain/account/notices';
import {
  noticeDetails,
  setNoticeDetails,
  setNotified,
  silenced,
} from '../../../alerts/alertSettings';
import { askPermission, permission, syncPush } from '../../../alerts/permission';
import { pushState } from '../../../alerts/pushState';
import { type StringKey, useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { Checkbox } from '../../../ui/Checkbox';
import { useValue } from '../../../useValue';
import { user } from '../../../worker/trading';
import styles from './AlertsScreen.module.css';

const NAMES: Record<NoticeKind, StringKey> = {
  alerts: 'alerts.title',
  orders: 'alerts.notify.orders',
  margin: 'alerts.notify.margin',
};

/** What the user is notified of while the app is not on screen, and whether that reaches a closed app. */
export function NoticeSettings() {
  const t = useT();
  const heading = useId();
  const off = useValue(silenced);
  const allowed = useValue(permission);
  const isUser = useValue(user) !== null;
  useEffect(() => void syncPush(), []);
  if (allowed === 'unsupported') return null;
  return (
    <section className={styles.settings} aria-labelledby={heading}>
      <h2 id={heading}>{t('alerts.notify.title')}</h2>
      {NOTICE_KINDS.map((kind) => (
        <Checkbox key={kind} checked={!off.includes(kind)} onChange={(on) => setNotified(kind, on)}>
          {t(NAMES[kind])}
        </Checkbox>
      ))}
      {allowed === 'granted' && isUser && <ClosedApp />}
      {allowed === 'denied' && <p>{t('alerts.notify.blocked')}</p>}
      {allowed === 'default' && (
        <Button wide onClick={() => void askPermission()}>
          {t('alerts.notify.allow')}
        </Button>
      )}
    </section>
  );
}

/** Whether a closed app is told, and how much. */
function ClosedApp() {
  const t = useT();
  const state = useValue(pushState);
  const details = useValue(noticeDetails);
  if (!state) return null;
  return (
    <>
      <p>{t(`alerts.notify.${state}`)}</p>
      {state === 'closed' && (
        <Checkbox checked={details} onChange={setNoticeDetails}>
          {t('alerts.notify.details')}
        </Checkbox>
      )}
    </>
  );
}
