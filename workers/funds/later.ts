import { lazy } from '../core/lazy';
import type { FundsGateway, FundsOptions } from './funds';

/** Wallet, mining, news, traders and companies. Their code comes with the first call. */
export function fundsLater(options: FundsOptions): FundsGateway {
  return lazy(async () => (await import('./funds')).createFunds(options), CALLS);
}

const CALLS: Record<keyof FundsGateway, true> = {
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
