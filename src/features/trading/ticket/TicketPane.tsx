import type { PanelProps } from '../../../panels/panel';
import styles from './TicketPane.module.css';
import { TicketPanel } from './TicketPanel';

/** The order form as a panel of the workspace. */
export default function TicketPane({ row }: PanelProps) {
  if (!row) return null;
  return (
    <div className={styles.scroller}>
      <TicketPanel key={row.instrument.id} row={row} side="buy" />
    </div>
  );
}
