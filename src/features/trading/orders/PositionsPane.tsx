import { AccountFiguresList } from '../../../positions/AccountFiguresList';
import { OrdersPane } from './OrdersPane';
import styles from './OrdersScreen.module.css';

/** The account and the open positions as a panel of the workspace. */
export default function PositionsPane() {
  return (
    <div className={styles.positions}>
      <AccountFiguresList />
      <OrdersPane status="holding" />
    </div>
  );
}
