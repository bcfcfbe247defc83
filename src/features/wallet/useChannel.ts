import { useState } from 'react';
import type { BankAccount, BankCurrency, CoinNetwork } from '#domain/api/wallet';
import type { UsdRate } from '#domain/core/units';
import type { MoneyKind } from '#domain/wallet/wallet';
import { type Request, useRequest } from '../../requests/queries';
import { api } from '../../worker/api';

export interface Channel {
  networks: Request<CoinNetwork[]>;
  currencies: Request<BankCurrency[]>;
  accounts: Request<BankAccount[]>;
  /** Nobody knows yet what can be chosen. */
  loading: boolean;
  network: CoinNetwork | undefined;
  currency: BankCurrency | undefined;
  account: BankAccount | undefined;
  /** Chooses a network or a bank account by its id. */
  choose(id: number): void;
  chooseCurrency(id: number): void;
  /** The chosen destination; undefined where nothing is chosen or available. */
  chosen: { id: number; currency: string; usdPrice: UsdRate; address: string } | undefined;
}

/** What a field that chooses a channel takes. */
export interface ChannelProps {
  channel: Channel;
  onTouched(): void;
  error: string | undefined;
}

/**
 * The available and the chosen channel. The first bank account is preselected; a network only where
 * it is the only one, because coins sent over a wrong network are lost. `before`: what the user had chosen before.
 */
export function useChannel(
  kind: MoneyKind,
  shown: boolean,
  before: { channelId?: number | undefined; currencyId?: number | undefined } = {},
): Channel {
  const coin = kind === 'coin';
  const [channelId, choose] = useState(before.channelId);
  const [currencyId, setCurrencyId] = useState(before.currencyId);
  const networks = useRequest(['coinNetworks'], () => api('wallet.coinNetworks', {}), {
    enabled: shown && coin,
  });
  const currencies = useRequest(['bankCurrencies'], () => api('wallet.bankCurrencies', {}), {
    enabled: shown && !coin,
  });
  const currency = byId(currencies.data, currencyId) ?? currencies.data?.[0];
  const accounts = useRequest(
    ['bankAccounts', currency?.id ?? 0],
    () => api('wallet.bankAccounts', { bank_coin: currency?.id ?? 0 }),
    { enabled: shown && !coin && currency !== undefined },
  );
  const network = byId(networks.data, channelId) ?? only(networks.data);
  const account = byId(accounts.data, channelId) ?? accounts.data?.[0];
  return {
    networks,
    currencies,
    accounts,
    loading: coin
      ? networks.loading
      : currencies.loading || (currency !== undefined && accounts.loading),
    network,
    currency,
    account,
    choose,
    chooseCurrency(id) {
      setCurrencyId(id);
      choose(undefined);
    },
    chosen: coin ? network : account && currency && bankChannel(account, currency),
  };
}

function bankChannel({ id }: BankAccount, { name, usdPrice }: BankCurrency): Channel['chosen'] {
  return { id, currency: name, usdPrice, address: '' };
}

function byId<T extends { id: number }>(rows: readonly T[] | undefined, id: number | undefined) {
  return rows?.find((row) => row.id === id);
}

function only<T>(rows: readonly T[] | undefined): T | undefined {
  return rows?.length === 1 ? rows[0] : undefined;
}
