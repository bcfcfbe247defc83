import { AccountSummaryList } from '../../../positions/AccountSummaryList';
import styles from './OrdersScreen.module.css';
import { OrdersView } from './OrdersView';

/** The account and the open positions as a panel of the workspace. */
export default function PositionsPanel() {
  return (
    <div className={styles.positions}>
      <AccountSummaryList />
      <OrdersView status="holding" />
    </div>
  );
}
