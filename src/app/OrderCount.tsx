import { formatShort } from '../i18n/format';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { useOrders } from '../worker/useOrders';
import styles from './TabBar.module.css';

/** How many orders are held, over the icon of their tab; nothing for a visitor or without any. */
export default function OrderCount({ id }: { id: string }) {
  return useValue(user) ? <Count id={id} /> : null;
}

function Count({ id }: { id: string }) {
  const { total = 0 } = useOrders('holding', 0, 0);
  if (total === 0) return null;
  return (
    <b id={id} className={styles.count} aria-hidden="true">
      {formatShort(total)}
    </b>
  );
}
