import { X } from 'lucide-react';
import type { ConnectionStatus } from '#domain/worker/workerApi';
import { formatDate } from '../i18n/format';
import { type StringKey, useT } from '../i18n/i18n';
import { sandboxNoticeRead } from '../preferences/preferences';
import { IconButton } from '../ui/Button';
import { LeftOut, lazyPart } from '../ui/lazyPart';
import { useValue } from '../useValue';
import { connectionState, pricesShown } from '../worker/frameReceiver';
import { recordedTime } from '../worker/recordedTime';
import styles from './StatusStrip.module.css';

const STATES: Record<ConnectionStatus, StringKey> = {
  connecting: 'link.connecting',
  live: 'link.live',
  slow: 'link.slow',
  stale: 'link.stale',
  offline: 'link.offline',
};

const Mark = lazyPart(async () => {
  await pricesShown();
  return import('./Mark');
}, LeftOut);

/**
 * Shown on every screen: the notice that no money is real, the day of a recorded market, and the
 * state of the connection.
 */
export function StatusStrip() {
  const t = useT();
  const { state } = useValue(connectionState);
  const read = useValue(sandboxNoticeRead);
  const recorded = useValue(recordedTime);
  return (
    <header className={styles.strip}>
      {!read && (
        <>
          <span className={styles.notice}>{t('common.sandbox')}</span>
          <IconButton
            label={t('common.dismiss')}
            className={styles.dismiss}
            onClick={() => {
              sandboxNoticeRead.value = true;
            }}
          >
            <X size={16} />
          </IconButton>
        </>
      )}
      <Mark />
      {recorded !== undefined && (
        <span className={styles.recorded}>
          {t('common.recorded', { date: formatDate(recorded) })}
        </span>
      )}
      <span role="status" className={styles.link} data-state={state}>
        {t(STATES[state])}
      </span>
    </header>
  );
}
