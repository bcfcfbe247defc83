import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { Deposit } from '#domain/api/wallet';
import { DEPOSIT_TYPES } from '#domain/wallet/wallet';
import { formatDateTime } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { usePolling } from '../../requests/usePolling';
import { Row } from '../../ui/Row';
import { useReviewedBalances } from '../../worker/accountAmount';
import { api } from '../../worker/api';
import { DepositForm } from './DepositForm';
import { MoneyPage, useKind } from './MoneyPage';
import styles from './Wallet.module.css';
import { numberText } from './walletText';

/** `/mine/charge`: the deposit form and the user's deposits. */
export function DepositScreen() {
  const [kind, setKind] = useKind();
  const list = useInfiniteList(['deposits', kind], (page) =>
    api('wallet.depositList', { type: DEPOSIT_TYPES[kind], page }),
  );
  usePolling(
    list.rows.some(({ status }) => status === 'unchecked'),
    () => void invalidate('deposits'),
  );
  useReviewedBalances(list.rows, ({ status }) => status);
  return (
    <MoneyPage
      strings="wallet.charge"
      kind={kind}
      onKind={setKind}
      onRefresh={() => {
        void invalidate('coinNetworks', 'bankCurrencies', 'bankAccounts');
        list.refresh();
      }}
      form={(each, shown) => <DepositForm kind={each} shown={shown} />}
      list={list}
      row={(deposit) => <DepositRow deposit={deposit} />}
    />
  );
}

const TONES = { unchecked: 'waiting', finished: 'done', rejected: 'bad', invalid: 'bad' } as const;

/** A deposit and its state (domain.md#deposit-states). */
function DepositRow({ deposit }: { deposit: Deposit }) {
  const t = useT();
  const { number, currency, status, createdAt, remark } = deposit;
  return (
    <Row
      title={<bdi>{numberText(number, currency)}</bdi>}
      detail={
        <>
          {createdAt !== undefined && formatDateTime(createdAt)}
          {remark && <span className={styles.remark}>{remark}</span>}
        </>
      }
      figure={<Status tone={TONES[status]}>{t(`wallet.charge.status.${status}`)}</Status>}
    />
  );
}

const ICONS = { waiting: Clock, done: CircleCheck, bad: CircleX };

/** A state as a word with an icon. */
function Status({ tone, children }: { tone: keyof typeof ICONS; children: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={16} />
      {children}
    </span>
  );
}
