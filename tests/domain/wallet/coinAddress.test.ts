import { describe, expect, it } from 'vitest';
import { isCoinAddress, normalCoinAddress } from '#domain/wallet/coinAddress';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ETHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('the form of a coin address', () => {
  it.each([
    ['TRC20', TRON, true],
    ['trc-20', TRON, true],
    ['TRC20', ETHER, false],
    ['trc-20', ETHER, false],
    ['TRC20', TRON.slice(1), false],
    ['TRC20', `${TRON}x`, false],
    ['TRC20', TRON.replace('7', '0'), false],
    ['ERC20', ETHER, true],
    ['ERC20', ETHER.slice(2), false],
    ['ERC20', ETHER.replace('5', 'g'), false],
    ['BEP20', ETHER, true],
    ['BTC', SEGWIT, true],
    ['BTC', SEGWIT.replace('q', 'b'), false],
    ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
    ['BTC', ETHER, false],
    ['LTC', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', true],
    ['LTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false],
    ['SOL', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', true],
    ['ALGORAND', 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA', true],
    ['ALGORAND', 'two words', false],
    ['ALGORAND', 'short', false],
    ['ALGORAND', 'x'.repeat(128), true],
    ['ALGORAND', 'x'.repeat(129), false],
    ['', '', false],
  ])('%s %s: %s', (protocol, address, valid) => {
    expect(isCoinAddress(protocol, address)).toBe(valid);
  });

  it('is checked without surrounding blanks and invisible marks, and a bech32 address in lower case', () => {
    expect(normalCoinAddress(`  ${TRON}\n`)).toBe(TRON);
    expect(normalCoinAddress(`\u200e${TRON}\u200b \u2060`)).toBe(TRON);
    expect(normalCoinAddress(SEGWIT.toUpperCase())).toBe(SEGWIT);
    expect(normalCoinAddress(ETHER)).toBe(ETHER);
    expect(normalCoinAddress('BC1QWrong')).toBe('BC1QWrong');
  });
});
