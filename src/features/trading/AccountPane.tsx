import { AccountFiguresList } from '../../positions/AccountFiguresList';
import styles from './DetailsPane.module.css';

/** The figures of the account as a panel of the workspace. */
export default function AccountPane() {
  return (
    <div className={styles.scroller}>
      <AccountFiguresList />
    </div>
  );
}
