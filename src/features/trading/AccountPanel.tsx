import { AccountFiguresList } from '../../positions/AccountFiguresList';
import styles from './DetailsPanel.module.css';

/** The figures of the account as a panel of the workspace. */
export default function AccountPanel() {
  return (
    <div className={styles.scroller}>
      <AccountFiguresList />
    </div>
  );
}
