import { beforeAll, describe, expect, it } from 'vitest';
import { toDecimal } from '#domain/core/decimal';
import { EMPTY_PAYEE } from '#domain/wallet/wallet';
import {
  currencyText,
  methodText,
  movedText,
  numberText,
  shortened,
} from '../../../../src/features/wallet/walletText';
import { showLanguage } from '../../../../src/i18n/i18n';

beforeAll(() => showLanguage('en'));

describe('texts of the wallet', () => {
  it.each([
    ['5000.000000', '+5,000.00'],
    ['-150.5', '-150.50'],
    ['0.265000', '+0.27'],
    ['-0.000001', '0.00'],
    ['0', '0.00'],
    ['12345678901234567.123456', '+12,345,678,901,234,567.12'],
  ])('of %s reads %s', (value, text) => {
    expect(movedText(toDecimal(value))).toBe(text);
  });

  it('of a daily profit have its four decimals', () => {
    expect(movedText(toDecimal('0.001200'), 16)).toBe('+0.0012');
    expect(movedText(toDecimal('100.000000'), 15)).toBe('+100.00');
  });
});

it('show all digits of a coin, and no more', () => {
  expect(numberText(toDecimal('0.00012300'), 'BTC')).toBe('0.000123 BTC');
});

it('keep both ends of an address, which people compare', () => {
  expect(shortened('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqje…SzgjLj6t');
  expect(shortened('12345')).toBe('12345');
});

it('know a payout method by the label of its user', () => {
  const method = {
    ...EMPTY_PAYEE,
    id: 1,
    currency: { id: 1, code: 'USDT', protocol: 'TRC20' },
    usableAt: undefined,
  } as never as Parameters<typeof methodText>[0];
  const coin = { ...method, kind: 'coin' as const, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
  expect(methodText(coin)).toBe('TR7NHqje…SzgjLj6t');
  expect(methodText({ ...coin, remark: 'Cold' })).toBe('Cold · TR7NHqje…SzgjLj6t');
  const bank = { ...method, kind: 'bank' as const, bankName: 'A Bank', payeeAccount: '12345' };
  expect(methodText(bank)).toBe('A Bank · 12345');
  expect(methodText({ ...bank, remark: 'Savings' })).toBe('Savings · 12345');
});

it('name the network of a coin, and none of a bank', () => {
  expect(currencyText({ code: 'USDT', protocol: 'TRC20' })).toBe('USDT · TRC20');
  expect(currencyText({ code: 'EUR', protocol: '' })).toBe('EUR');
});
