import { describe, expect, it } from 'vitest';
import { isCoinAddress } from '#domain/wallet/coinAddress';
import { hasValidChecksum } from '../../../server/wallet/checksums';

/** Examples of EIP-55, BIP 173 and BIP 350, the genesis block and well-known contracts. */
const VALID: [protocol: string, address: string][] = [
  ['ERC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['ERC20', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  ['ERC20', '0xdac17f958d2ee523a2206206994597c13d831ec7'],
  ['ERC20', '0xDE709F2102306220921060314715629080E2FB77'],
  ['TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['SOL', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
];

describe('checksums of addresses', () => {
  it.each(VALID)('%s %s is right', (protocol, address) => {
    expect(isCoinAddress(protocol, address)).toBe(true);
    expect(hasValidChecksum(address)).toBe(true);
  });

  // Addresses with a checksum: any single mistyped character is detected.
  const checked = VALID.filter(
    ([protocol, address]) => protocol !== 'SOL' && !/^0x([\da-f]+|[\dA-F]+)$/.test(address),
  );
  it.each(checked.filter(([protocol]) => protocol !== 'ERC20'))(
    '%s %s with two neighbours swapped is wrong',
    (protocol, address) => {
      for (let at = 4; at < address.length - 1; at++) {
        const [a = '', b = ''] = [address[at], address[at + 1]];
        if (a === b) continue;
        const typo = address.slice(0, at) + b + a + address.slice(at + 2);
        expect([typo, hasValidChecksum(typo)]).toEqual([typo, false]);
        expect(isCoinAddress(protocol, typo)).toBe(true);
      }
    },
  );

  it('finds a wrong case in an Ethereum address', () => {
    expect(hasValidChecksum('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(false);
    expect(hasValidChecksum('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).toBe(false);
  });

  it('accepts bech32 only for version 0 and bech32m only for later versions', () => {
    // BIP 350: version 1 with the checksum of bech32, version 0 with that of bech32m.
    const wrong = [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well',
    ];
    expect(wrong.map(hasValidChecksum)).toEqual([false, false]);
  });
});
