/**
 * The form of coin addresses by network: prefix, alphabet, length. Only the server checks the
 * checksum, because that needs hash functions.
 */

/** Base58: no 0, O, I, l. */
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** Bech32: no 1, b, i, o; one case throughout. */
const BECH32 = '[02-9ac-hj-np-z]';

/** 20 bytes in hexadecimal: Ethereum and compatible networks. */
const ETHEREUM = /^0x[\dA-Fa-f]{40}$/;
const BITCOIN = new RegExp(`^([13]${BASE58}{25,34}|bc1${BECH32}{11,71})$`);
const LITECOIN = new RegExp(`^([LM3]${BASE58}{25,34}|ltc1${BECH32}{11,71})$`);
const TRON = new RegExp(`^T${BASE58}{33}$`);
const SOLANA = new RegExp(`^${BASE58}{32,44}$`);
/** Addresses of unknown networks. */
const ANY = /^[!-~]{16,128}$/;

const FORMS: Readonly<Record<string, RegExp>> = {
  BTC: BITCOIN,
  BITCOIN,
  LTC: LITECOIN,
  LITECOIN,
  TRC20: TRON,
  TRX: TRON,
  TRON,
  ERC20: ETHEREUM,
  ETH: ETHEREUM,
  ETHEREUM,
  BEP20: ETHEREUM,
  BSC: ETHEREUM,
  POLYGON: ETHEREUM,
  SOL: SOLANA,
  SOLANA,
};

/** The form that is compared and stored: without blanks around it and invisible marks; bech32 addresses in lower case. */
export function normalCoinAddress(typed: string): string {
  const address = typed.replace(/\p{Cf}/gu, '').trim();
  return /^(BC|LTC)1[\dA-Z]+$/.test(address) ? address.toLowerCase() : address;
}

/** Whether `address`, in its normal form, has the form of the network (as "TRC20", domain.md#payout-methods). */
export function isCoinAddress(protocol: string, address: string): boolean {
  return (FORMS[protocol.toUpperCase().replace(/[^A-Z0-9]/g, '')] ?? ANY).test(address);
}
