import type { BankAccount, BankCurrency, CoinNetwork, WithdrawCurrency } from '#domain/api/wallet';
import { toDecimal } from '#domain/core/decimal';
import { toUsdRate, type UsdRate } from '#domain/core/units';
import type { MoneyKind, WithdrawFeeType } from '#domain/wallet/wallet';

/**
 * What the broker accepts and pays out, and at which rates. Rates are fixed, because a preview must be what is booked. Ids are permanent: rows refer to
 * them.
 */
export interface WalletCatalogue {
  networks: readonly CoinNetwork[];
  bankCurrencies: readonly BankCurrency[];
  bankAccounts: readonly (BankAccount & { currencyId: number })[];
  withdrawCurrencies: readonly (WithdrawCurrency & { kind: MoneyKind })[];
}

/** Units for one USD. */
const RATES = {
  USD: '1',
  USDT: '1',
  USDC: '1',
  BTC: '0.0000148721',
  ETH: '0.00028736',
  EUR: '0.9223',
  GBP: '0.7865',
  HKD: '7.8125',
  JPY: '151.28',
} satisfies Record<string, string>;
type Code = keyof typeof RATES;

const rate = (code: Code): UsdRate => toUsdRate(RATES[code]);

/** These addresses have wrong checksums, so that no wallet sends real coins. */
const networks: CoinNetwork[] = [
  network(1, 'USDT', 'TRC20', 'TSandboxDoNotSendRea1CoinsHere1111'),
  network(2, 'USDT', 'ERC20', '0xDEADc0ffee00000000000000000000000000FACE'),
  network(3, 'USDC', 'ERC20', '0xDEADc0ffee00000000000000000000000001FACE'),
  network(4, 'BTC', 'BTC', 'bc1qsandx0xd0n0tsendrealc00nsherexxxxxxxxxx'),
  network(5, 'ETH', 'ERC20', '0xDEADc0ffee00000000000000000000000002FACE'),
];

const bankCurrencies: BankCurrency[] = (['USD', 'EUR', 'GBP', 'HKD', 'JPY'] as const).map(
  (name, index) => ({ id: index + 1, name, usdPrice: rate(name) }),
);

/** Banks that do not exist. */
const bankAccounts: WalletCatalogue['bankAccounts'] = [
  account(1, 1, 'Harbor Meridian Bank', '88 Fictional Plaza, New York', 'HMBKUS00XXX'),
  account(2, 2, 'Rheinbogen Bank', 'Musterallee 12, Frankfurt am Main', 'RHBGDE00XXX'),
  account(3, 3, 'Old Wharf & Sons', '1 Imaginary Quay, London', 'OWSNGB00XXX'),
  account(4, 4, 'Lion Rock Commercial Bank', '18 Example Road Central, Hong Kong', 'LRCBHK00XXX'),
  account(5, 4, 'Victoria Peak Savings', '7 Sample Street, Hong Kong', 'VPSVHK00XXX'),
  account(6, 5, 'Ginza Daybreak Bank', '3-2-1 Example, Chuo, Tokyo', 'GZDBJP00XXX'),
];

const withdrawCurrencies: WalletCatalogue['withdrawCurrencies'] = [
  payout(1, 'coin', 'USDT', 'TRC20', 'fixed', '1'),
  payout(2, 'coin', 'USDT', 'ERC20', 'fixed', '5'),
  payout(3, 'coin', 'USDC', 'ERC20', 'fixed', '5'),
  payout(4, 'bank', 'USD', '', 'fixed', '25'),
  payout(5, 'bank', 'EUR', '', 'rate', '0.005'),
  payout(6, 'bank', 'GBP', '', 'rate', '0.005'),
  payout(7, 'bank', 'HKD', '', 'rate', '0.003'),
  payout(8, 'bank', 'JPY', '', 'rate', '0.0045'),
];

/** The catalogue of the sandbox. */
export const SANDBOX: WalletCatalogue = {
  networks,
  bankCurrencies,
  bankAccounts,
  withdrawCurrencies,
};

function network(id: number, currency: Code, protocol: string, address: string): CoinNetwork {
  return { id, currency, protocol, address, usdPrice: rate(currency) };
}

function account(
  id: number,
  currencyId: number,
  bankName: string,
  bankAddress: string,
  bankSwift: string,
): BankAccount & { currencyId: number } {
  return {
    id,
    currencyId,
    bankName,
    bankAddress,
    bankSwift,
    payeeName: 'Fulcrum Sandbox Ltd.',
    payeeAccount: `000-000${id}-SANDBOX`,
    remark: 'No real money. Write your user number in the reference.',
  };
}

function payout(
  id: number,
  kind: MoneyKind,
  code: Code,
  protocol: string,
  feeType: WithdrawFeeType,
  fee: string,
): WalletCatalogue['withdrawCurrencies'][number] {
  return { id, kind, code, protocol, feeType, fee: toDecimal(fee), usdPrice: rate(code) };
}
