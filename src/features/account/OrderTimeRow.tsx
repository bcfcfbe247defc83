import { Timer } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/i18n';
import { ORDER_SECONDS, orderSeconds } from '../../preferences/preferences';
import { Choice } from '../../ui/Choice';
import { Row } from '../../ui/Row';
import { Sheet } from '../../ui/Sheet';
import { useValue } from '../../useValue';
import styles from './OrderTimeRow.module.css';

/** How long an order may be executed after it was confirmed (D85). */
export function OrderTimeRow() {
  const t = useT();
  const seconds = useValue(orderSeconds);
  const [isOpen, setOpen] = useState(false);
  const label = t('account.orderTime');
  return (
    <>
      <Row
        lead={<Timer size={20} />}
        title={label}
        note={t('account.seconds', { count: seconds })}
        onClick={() => setOpen(true)}
      />
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={label}>
        <div className={styles.setting}>
          <Choice
            label={label}
            options={ORDER_SECONDS.map((each) => ({
              value: String(each),
              label: t('account.seconds', { count: each }),
            }))}
            value={String(seconds)}
            onChange={(next) => {
              orderSeconds.value = Number(next);
            }}
          />
          <p className={styles.note}>{t('account.orderTimeNote')}</p>
        </div>
      </Sheet>
    </>
  );
}
