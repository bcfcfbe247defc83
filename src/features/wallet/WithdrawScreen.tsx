import { useState } from 'react';
import type { Withdrawal } from '#domain/api/wallet';
import { negate } from '#domain/core/decimal';
import { MONEY_TYPES } from '#domain/wallet/wallet';
import { formatDateTime } from '../../i18n/format';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Ltr } from '../../ui/Ltr';
import { Row } from '../../ui/Row';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { MoneyPage, useKind } from './MoneyPage';
import { WithdrawalSheet } from './WithdrawalSheet';
import { WithdrawForm } from './WithdrawForm';
import { movedText, shortened } from './walletText';

/** `/mine/withdraw` (screens.md#withdraw): the withdrawal form and the user's withdrawals. */
export function WithdrawScreen() {
  const [kind, setKind] = useKind();
  const [opened, setOpened] = useState<number>();
  const list = useInfiniteList(['withdrawals', kind], (page) =>
    api('wallet.withdrawalList', { type: MONEY_TYPES[kind], page }),
  );
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
