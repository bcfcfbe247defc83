import { useState } from 'react';
import { MONEY_TYPES } from '#domain/wallet/wallet';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import { MoneyPage, useKind } from './MoneyPage';
import { WithdrawalRow } from './WithdrawalRow';
import { WithdrawalSheet } from './WithdrawalSheet';
import { WithdrawForm } from './WithdrawForm';

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
