import type { User } from '#domain/account/user';
import { useT } from '../../i18n/i18n';
import { Ltr } from '../../ui/Ltr';
import { Page } from '../../ui/Page';
import { useValue } from '../../useValue';
import { user } from '../../worker/trading';
import { BalanceCard } from './BalanceCard';
import { nameOf } from './nameOf';
import { UserRows } from './UserRows';
import styles from './UserScreen.module.css';

/** `/user` (screens.md#user-center): the user center. */
export function UserScreen() {
  const t = useT();
  const currentUser = useValue(user);
  return (
    <Page title={t('account.center')} flush>
      {currentUser && (
        <>
          <Greeting currentUser={currentUser} />
          <BalanceCard />
          <UserRows currentUser={currentUser} />
        </>
      )}
    </Page>
  );
}

function Greeting({ currentUser }: { currentUser: User }) {
  const t = useT();
  return (
    <div className={styles.who}>
      <p className={styles.name}>
        {currentUser.demo ? t('account.demoAccount') : <Ltr>{nameOf(currentUser)}</Ltr>}
      </p>
      <p className={styles.uid}>
        {t('account.uid')} <Ltr>{currentUser.uid}</Ltr>
      </p>
    </div>
  );
}
