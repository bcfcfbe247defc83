import { CircleCheck } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useT } from '../../../i18n/i18n';
import { placedText } from '../../../positions/placedText';
import { Button } from '../../../ui/Button';
import { ButtonLink } from '../../../ui/ButtonLink';
import { ButtonPair } from '../../../ui/ButtonPair';
import { Sheet } from '../../../ui/Sheet';
import { useValue } from '../../../useValue';
import styles from './PlacedSheet.module.css';
import { placedOrder } from './placeOrder';

function close() {
  placedOrder.value = undefined;
}

/** Shows the order that was placed and a link to the orders. */
export function PlacedSheet() {
  const t = useT();
  const order = useValue(placedOrder)?.data;
  const text = useId();
  // No later screen is about this order.
  useEffect(() => close, []);
  return (
    <Sheet
      open={order !== undefined}
      onClose={close}
      title={t('trade.placed.title')}
      describedBy={text}
      foot={
        <ButtonPair>
          <Button onClick={close}>{t('trade.placed.done')}</Button>
          <ButtonLink to={`/order?type=${order?.status === 'pending' ? 0 : 1}`} onClick={close}>
            {t('trade.placed.orders')}
          </ButtonLink>
        </ButtonPair>
      }
    >
      {order && (
        <div className={styles.placed}>
          <CircleCheck size={24} />
          <p id={text}>{placedText(order)}</p>
        </div>
      )}
    </Sheet>
  );
}
