import { parseDecimal } from '#domain/core/decimal';
import { gateway } from '../gateway/client';
import { account } from '../gateway/trading';
import { useCall } from '../gateway/useCall';
import { formatAmount } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import styles from './ResetDemo.module.css';

/** Asks once before a demo account is begun anew (§6). */
export function ResetDemo({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useT();
  const call = useCall();
  const reset = async () => {
    const result = await call.run((key) => gateway.resetDemo(key));
    if (result?.ok) onClose();
  };
  const net = parseDecimal(account.peek()?.netValue);
  return (
    <Sheet open={open} onClose={onClose} title={t('orders.reset.title')}>
      <div className={styles.ask}>
        <p>{t('orders.reset.ask', { net: net ? formatAmount(net, 2) : '–' })}</p>
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" busy={call.busy} onClick={() => void reset()}>
            {call.lost ? t('orders.checking') : t('orders.reset.confirm')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
