import { AccountSummaryList } from '../../positions/AccountSummaryList';
import styles from './DetailsPanel.module.css';

/** The summary of the account as a panel of the workspace. */
export default function AccountPanel() {
  return (
    <div className={styles.scroller}>
      <AccountSummaryList />
    </div>
  );
}
