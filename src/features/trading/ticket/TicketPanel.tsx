import type { PanelProps } from '../../../panels/panel';
import { useFreshBalances } from '../../../worker/accountAmount';
import styles from '../DetailsPanel.module.css';
import { OrderForm } from './OrderForm';

/** The order form as a panel of the workspace. */
export default function TicketPanel({ row }: PanelProps) {
  useFreshBalances();
  if (!row) return null;
  return (
    <div className={styles.scroller}>
      <OrderForm key={row.instrument.id} row={row} side="buy" />
    </div>
  );
}
