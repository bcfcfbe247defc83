import { computed } from '@preact/signals-react';
import { Eye, EyeOff } from 'lucide-react';
import type { User } from '#domain/account/user';
import { parseDecimal } from '#domain/core/decimal';
import { useT } from '../../i18n/i18n';
import { AccountAmount } from '../../positions/AccountAmount';
import { AccountSummaryList } from '../../positions/AccountSummaryList';
import { SUMMARY } from '../../positions/accountFormats';
import { balanceHidden, HIDDEN_AMOUNT } from '../../preferences/hidden';
import { IconButton } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Ltr } from '../../ui/Ltr';
import { Page } from '../../ui/Page';
import { useValue } from '../../useValue';
import { account, user } from '../../worker/trading';
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

const masked = () => HIDDEN_AMOUNT;
const MASKED = { balance: masked, profit: masked, equity: masked, marginInUse: masked };

/** Most ticks change other figures, not this one. */
const available = computed(() => account.value?.available);

/** What is available and the summary of the account (domain.md#account-summary), with two decimals (domain.md#rounding). */
export function BalanceCard() {
  const t = useT();
  const hide = useValue(balanceHidden);
  const amount = parseDecimal(useValue(available));
  const Icon = hide ? Eye : EyeOff;
  return (
    <section className={styles.card} aria-label={t('account.balance')}>
      <div className={styles.cardHead}>
        <span>{t('account.available')}</span>
        <IconButton
          className={styles.eye}
          label={t(hide ? 'account.showBalance' : 'account.hideBalance')}
          onClick={() => {
            balanceHidden.value = !hide;
          }}
        >
          <Icon size={20} />
        </IconButton>
      </div>
      <Link to="/mine/history" className={styles.balance}>
        <Ltr>
          {hide && amount ? (
            HIDDEN_AMOUNT
          ) : (
            <AccountAmount amount={amount} width={9} height={1.5} />
          )}{' '}
          <span className={styles.unit}>USD</span>
        </Ltr>
      </Link>
      <AccountSummaryList formats={hide ? MASKED : SUMMARY} className={styles.figures} />
    </section>
  );
}
