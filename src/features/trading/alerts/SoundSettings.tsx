import { useId } from 'react';
import {
  counting,
  SOUND_KINDS,
  type SoundKind,
  setSounding,
  sounding,
} from '../../../alerts/alertSettings';
import { type StringKey, useT } from '../../../i18n/i18n';
import { Checkbox } from '../../../ui/Checkbox';
import { withCode } from '../../../ui/lazyPart';
import { useValue } from '../../../useValue';
import styles from './AlertsScreen.module.css';

const NAMES: Record<SoundKind, StringKey> = {
  orders: 'alerts.sounds.orders',
  alerts: 'alerts.sounds.alerts',
};

/** What is told by a sound, and whether a hidden page counts what happens. */
export function SoundSettings() {
  const t = useT();
  const heading = useId();
  const on = useValue(sounding);
  const counts = useValue(counting);
  return (
    <section className={styles.settings} aria-labelledby={heading}>
      <h2 id={heading}>{t('alerts.sounds.title')}</h2>
      {SOUND_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          checked={on.includes(kind)}
          onChange={(next) => {
            setSounding(kind, next);
            // Heard at once, and allowed by this touch for later.
            if (next) {
              withCode(
                () => import('../../../alerts/attention'),
                ({ play }) => play(kind),
              );
            }
          }}
        >
          {t(NAMES[kind])}
        </Checkbox>
      ))}
      <Checkbox
        checked={counts}
        onChange={(next) => {
          counting.value = next;
        }}
      >
        {t('alerts.sounds.badge')}
      </Checkbox>
    </section>
  );
}
