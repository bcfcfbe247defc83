import { MethodListScreen } from './MethodListScreen';

/** `/mine/bank-card-list` (§2). */
export function BankCardListScreen() {
  return <MethodListScreen kind="bank" />;
}

/** `/mine/coin-address-list` (§2). */
export function CoinAddressListScreen() {
  return <MethodListScreen kind="coin" />;
}
