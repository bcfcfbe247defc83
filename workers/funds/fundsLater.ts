import type { FundsGateway } from '#domain/gateway-funds';
import { failed } from '#domain/result';
import type { FundsOptions } from './funds';

const METHODS: Readonly<Record<keyof FundsGateway, true>> = {
  records: true,
  coinNetworks: true,
  bankCurrencies: true,
  bankAccounts: true,
  deposits: true,
  submitDeposit: true,
  withdrawCurrencies: true,
  withdrawals: true,
  submitWithdrawal: true,
  payoutMethods: true,
  bindPayoutMethod: true,
  deletePayoutMethod: true,
  funds: true,
  fund: true,
  subscribe: true,
  subscriptions: true,
  incomes: true,
  redeem: true,
  news: true,
  newsArticle: true,
  traders: true,
  companies: true,
};

/** The funds part, whose code comes with the first call: prices need none of it. */
export function fundsLater(options: FundsOptions): FundsGateway {
  let loading: Promise<FundsGateway> | undefined;

  async function load(): Promise<FundsGateway | undefined> {
    loading ??= import('./funds').then(({ createFunds }) => createFunds(options));
    try {
      return await loading;
    } catch {
      // The next call tries again.
      loading = undefined;
      return undefined;
    }
  }

  const methods = Object.keys(METHODS).map((name) => [
    name,
    async (...args: unknown[]) => {
      const funds = await load();
      if (!funds) return failed({ kind: 'transport', code: 'ERR_NETWORK' });
      return (funds[name as keyof FundsGateway] as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(methods) as FundsGateway;
}
