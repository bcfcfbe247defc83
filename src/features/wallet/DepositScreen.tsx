import { gateway } from '../../gateway/client';
import { renew } from '../../requests/queries';
import { useEndless } from '../../requests/useEndless';
import { usePolling } from '../../requests/usePolling';
import { DepositForm } from './DepositForm';
import { DepositRow } from './DepositRow';
import { MoneyPage, useKind } from './MoneyPage';

/** `/mine/charge` (screens.md#deposit): a deposit, and those that were made. */
export function DepositScreen() {
  const [kind, setKind] = useKind();
  const list = useEndless(['deposits', kind], (page) => gateway.deposits(kind, page));
  usePolling(
    list.rows.some(({ status }) => status === 'unchecked'),
    () => void renew('deposits'),
  );
  return (
    <MoneyPage
      strings="wallet.charge"
      kind={kind}
      onKind={setKind}
      onRefresh={() => {
        void renew('coinNetworks', 'bankCurrencies', 'bankAccounts');
        list.refresh();
      }}
      form={(each, shown) => <DepositForm kind={each} shown={shown} />}
      list={list}
      row={(deposit) => <DepositRow deposit={deposit} />}
    />
  );
}
