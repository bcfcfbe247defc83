import { useSearchParams } from 'react-router-dom';
import { MONEY_TYPES, type MoneyKind } from '#domain/wallet/wallet';
import { useT } from '../../i18n/i18n';
import { Missing } from '../../requests/Missing';
import { useRequest } from '../../requests/queries';
import { Page } from '../../ui/Page';
import { ListSkeleton } from '../../ui/RowSkeleton';
import { api } from '../../worker/api';
import { MethodForm } from './MethodForm';

/**
 * `/mine/withdraw-way?type=`: adds a coin address (1) or bank
 * account (2).
 */
export function AddMethodScreen() {
  const t = useT();
  const [query] = useSearchParams();
  const kind: MoneyKind = query.get('type') === String(MONEY_TYPES.bank) ? 'bank' : 'coin';
  const currencies = useRequest(['withdrawCurrencies', kind], () =>
    api('wallet.withdrawCurrencies', { type: MONEY_TYPES[kind] }),
  );
  return (
    <Page title={t(`wallet.methods.${kind}.add`)}>
      {currencies.data && (
        <MethodForm
          key={kind}
          kind={kind}
          currencies={currencies.data}
          preselected={Number(query.get('currency')) || undefined}
        />
      )}
      <Missing request={currencies}>
        <ListSkeleton rows={2} />
      </Missing>
    </Page>
  );
}
