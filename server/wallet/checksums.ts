import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, bech32m, createBase58check, hex } from '@scure/base';

const base58check = createBase58check(sha256);
const ascii = new TextEncoder();

/** Whether an address of a known form has a valid checksum; true for forms without one. */
export function hasValidChecksum(address: string): boolean {
  if (/^0x[\dA-Fa-f]{40}$/.test(address)) return isMixedRight(address.slice(2));
  if (/^(bc|ltc)1/.test(address)) return isSegwit(address);
  if (/^[13LMT][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(address)) return decodes(() => isBase58(address));
  return true;
}

/** EIP-55: the case of the letters is the checksum; an address in one case has none. */
function isMixedRight(digits: string): boolean {
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = hex.encode(keccak_256(ascii.encode(lower)));
  return [...digits].every((digit, index) => {
    const upper = Number.parseInt(hash[index] ?? '0', 16) >= 8;
    return digit === (upper ? digit.toUpperCase() : digit.toLowerCase());
  });
}

/** BIP 173 and 350: version 0 uses bech32, later versions bech32m. */
function isSegwit(address: string): boolean {
  const coder = /^(bc|ltc)1q/.test(address) ? bech32 : bech32m;
  return decodes(() => {
    const [version, ...program] = coder.decode(address as `${string}1${string}`, 90).words;
    const { length } = coder.fromWords(program);
    return version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
  });
}

/**
 * A version byte and 20 bytes with the checksum of Bitcoin and Tron; Solana addresses have none.
 */
function isBase58(address: string): boolean {
  if (base58.decode(address).length === 32) return true;
  return base58check.decode(address).length === 21;
}

function decodes(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
