import { useId } from 'react';
import type { Side } from '#domain/trading/order';
import { useT } from '../../../i18n/i18n';
import styles from './SideSwitch.module.css';

const SIDES: readonly Side[] = ['buy', 'sell'];

/** Buy or sell (domain.md#orders). */
export function SideSwitch({ side, onChange }: { side: Side; onChange(side: Side): void }) {
  const t = useT();
  const name = useId();
  return (
    <fieldset className={styles.sides} aria-label={t('trade.ticket.side')}>
      {SIDES.map((value) => (
        <label key={value} className={styles.side} data-side={value}>
          <input
            className="hidden-input"
            type="radio"
            name={name}
            checked={value === side}
            onChange={() => onChange(value)}
          />
          {t(`trade.${value}`)}
        </label>
      ))}
    </fieldset>
  );
}
