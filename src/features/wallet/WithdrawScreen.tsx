import { useState } from 'react';
import type { Withdrawal } from '#domain/api/wallet';
import { negate } from '#domain/core/decimal';
import { MONEY_TYPES } from '#domain/wallet/wallet';
import { formatAmount, formatDateTime, formatUsd } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { type Fact, Facts } from '../../ui/Facts';
import { Ltr } from '../../ui/Ltr';
import { Row } from '../../ui/Row';
import { Sheet } from '../../ui/Sheet';
import { useReviewedBalances } from '../../worker/accountAmount';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { MoneyPage, useKind } from './MoneyPage';
import styles from './Wallet.module.css';
import { WithdrawForm } from './WithdrawForm';
import { movedText, shortened } from './walletText';

/** `/mine/withdraw` (screens.md#withdraw): the withdrawal form and the user's withdrawals. */
export function WithdrawScreen() {
  const [kind, setKind] = useKind();
  const [opened, setOpened] = useState<number>();
  const list = useInfiniteList(['withdrawals', kind], (page) =>
    api('wallet.withdrawalList', { type: MONEY_TYPES[kind], page }),
  );
  useReviewedBalances(list.rows, ({ statusName }) => statusName);
  return (
    <MoneyPage
      strings="wallet.withdraw"
      kind={kind}
      onKind={setKind}
      onRefresh={() => {
        void workerApi.refreshOrders();
        void invalidate('withdrawCurrencies', 'payoutMethods');
        list.refresh();
      }}
      form={(each, shown) => <WithdrawForm kind={each} shown={shown} />}
      list={list}
      row={(withdrawal) => (
        <WithdrawalRow withdrawal={withdrawal} onOpen={({ id }) => setOpened(id)} />
      )}
    >
      <WithdrawalSheet
        withdrawal={list.rows.find(({ id }) => id === opened)}
        onClose={() => setOpened(undefined)}
      />
    </MoneyPage>
  );
}

interface WithdrawalRowProps {
  withdrawal: Withdrawal;
  onOpen(withdrawal: Withdrawal): void;
}

/** A withdrawal: destination, time, amount and state. */
function WithdrawalRow({ withdrawal, onOpen }: WithdrawalRowProps) {
  const { kind, number, address, payeeAccount, createdAt, statusName } = withdrawal;
  return (
    <Row
      onClick={() => onOpen(withdrawal)}
      title={<bdi>{shortened(kind === 'coin' ? address : payeeAccount)}</bdi>}
      detail={createdAt !== undefined && formatDateTime(createdAt)}
      figure={<Ltr>{movedText(negate(number))} USD</Ltr>}
      note={statusName}
    />
  );
}

interface WithdrawalSheetProps {
  withdrawal: Withdrawal | undefined;
  onClose(): void;
}

/** Details of a withdrawal (protocol.md#withdraw-record). */
function WithdrawalSheet({ withdrawal, onClose }: WithdrawalSheetProps) {
  const t = useT();
  return (
    <Sheet
      open={withdrawal !== undefined}
      onClose={onClose}
      title={withdrawal ? t('wallet.withdraw.one', { id: withdrawal.id }) : ''}
    >
      {withdrawal && (
        <div className={styles.sheet}>
          <WithdrawalFacts withdrawal={withdrawal} />
        </div>
      )}
    </Sheet>
  );
}

function WithdrawalFacts({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useT();
  const { number, received, currency, fee, statusName, createdAt, notes } = withdrawal;
  const to = withdrawal.kind === 'coin' ? withdrawal.address : withdrawal.payeeAccount;
  const facts: Fact[] = [
    { name: t('orders.field.status'), value: statusName },
    { name: t('common.amount'), value: <bdi>{formatUsd(number)}</bdi> },
    { name: t('wallet.withdraw.fee'), value: <bdi>{formatUsd(fee)}</bdi> },
    {
      name: t('wallet.withdraw.receive'),
      value: (
        <bdi>
          {formatAmount(received, 2)} {currency}
        </bdi>
      ),
    },
    { name: t('wallet.withdraw.to'), value: <bdi>{to}</bdi> },
  ];
  if (createdAt !== undefined) {
    facts.push({ name: t('wallet.createdAt'), value: formatDateTime(createdAt) });
  }
  if (notes) facts.push({ name: t('wallet.bank.remark'), value: notes });
  return <Facts facts={facts} />;
}
