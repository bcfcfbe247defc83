import { PositionsPanel } from '../features/trading/orders/PositionsPanel';
import { user } from '../gateway/trading';
import { listPane, ordersPane, ticketBeside, ticketPane } from '../session/panes';
import { useValue } from '../useValue';
import Splitter from './Splitter';
import styles from './Workspace.module.css';

/** The splitter between list and chart. */
export function ListSplitter() {
  return <Splitter pane={listPane} label="common.resizeList" side="before" />;
}

/**
 * Orders below the chart for logged-in users, and the splitters between chart, orders and ticket.
 */
export function TradePanes() {
  return (
    <>
      <PositionsPanel />
      {useValue(user) && (
        <Splitter
          pane={ordersPane}
          label="common.resizeOrders"
          side="after"
          horizontal
          className={styles.aboveOrders}
        />
      )}
      {useValue(ticketBeside) && (
        <Splitter
          pane={ticketPane}
          label="common.resizeTicket"
          side="after"
          className={styles.besideTicket}
        />
      )}
    </>
  );
}
