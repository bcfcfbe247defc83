import { useState } from 'react';
import type { PayoutMethod, WithdrawCurrency } from '#domain/api/wallet';
import { MONEY_TYPES, type MoneyKind } from '#domain/wallet/wallet';
import { type Request, useRequest } from '../../requests/queries';
import { api } from '../../worker/api';

export interface Payout {
  currencies: Request<WithdrawCurrency[]>;
  saved: Request<PayoutMethod[]>;
  currency: WithdrawCurrency | undefined;
  /** Saved methods of the chosen currency; undefined while unknown. */
  methods: PayoutMethod[] | undefined;
  method: PayoutMethod | undefined;
  chooseCurrency(id: number): void;
  chooseMethod(id: number): void;
}

/**
 * Available and chosen currency and payout method of a withdrawal. A single option is preselected.
 * `before`: what the user had chosen before.
 */
export function usePayout(
  kind: MoneyKind,
  shown: boolean,
  before: { currencyId?: number | undefined; methodId?: number | undefined } = {},
): Payout {
  const [currencyId, setCurrencyId] = useState(before.currencyId);
  const [methodId, setMethodId] = useState(before.methodId);
  const currencies = useRequest(
    ['withdrawCurrencies', kind],
    () => api('wallet.withdrawCurrencies', { type: MONEY_TYPES[kind] }),
    { enabled: shown },
  );
  const rows = currencies.data;
  const currency =
    rows?.find(({ id }) => id === currencyId) ?? (rows?.length === 1 ? rows[0] : undefined);
  const saved = useRequest(
    ['payoutMethods', kind, currency?.id ?? 0],
    () => api('wallet.payoutMethods', { draw_type: MONEY_TYPES[kind], draw_id: currency?.id ?? 0 }),
    { enabled: shown && currency !== undefined },
  );
  // A server may ignore which currency was asked for.
  const methods = currency && saved.data?.filter((method) => method.currency.id === currency.id);
  return {
    currencies,
    saved,
    currency,
    methods,
    method:
      methods?.find(({ id }) => id === methodId) ??
      (methods?.length === 1 ? methods[0] : undefined),
    chooseCurrency: setCurrencyId,
    chooseMethod: setMethodId,
  };
}
