import { DEPOSIT_TYPES } from '#domain/wallet/wallet';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { usePolling } from '../../requests/usePolling';
import { api } from '../../worker/api';
import { DepositForm } from './DepositForm';
import { DepositRow } from './DepositRow';
import { MoneyPage, useKind } from './MoneyPage';

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
