import { describe, expect, it } from 'vitest';
import { add, toFixed, toText } from '#domain/core/decimal';
import {
  accountBalance,
  available,
  equity,
  isStoppedOut,
  marginLevel,
  riskRate,
} from '#domain/trading/accountSummary';
import { usd } from '../support/instruments';

const account = (balance: string, marginInUse: string, profit: string) => ({
  balance: usd(balance),
  marginInUse: usd(marginInUse),
  profit: usd(profit),
});

describe('the figures of an account (domain.md#account-summary)', () => {
  it.each([
    // balance, margin, profit → net, free, risk, prepayment
    ['1000', '0', '0', '1000', '1000', undefined, undefined],
    ['900', '100', '50', '1050', '900', '9.52', '1050.00'],
    ['900', '100', '-50', '950', '850', '10.53', '950.00'],
    ['0', '100', '-80', '20', '0', '500.00', '20.00'],
    ['-10', '100', '-80', '10', '0', '1000.00', '10.00'],
    ['-10', '100', '80', '170', '0', '58.82', '170.00'],
    ['0', '100', '-100', '0', '0', undefined, '0.00'],
    ['0', '100', '-150', '-50', '0', '-200.00', '-50.00'],
  ])('balance %s, margin %s, profit %s', (balance, margin, profit, net, free, risk, prepayment) => {
    const figures = account(balance, margin, profit);
    // The figures of the screen add up.
    expect(toText(add(accountBalance(figures), figures.profit))).toBe(net);
    const percent = (value: ReturnType<typeof riskRate>) => value && toFixed(value, 2);
    expect(toText(equity(figures))).toBe(net);
    expect(toText(available(figures))).toBe(free);
    expect(percent(riskRate(figures))).toBe(risk);
    expect(percent(marginLevel(figures))).toBe(prepayment);
  });

  it('is stopped out at 20 % and below, compared before rounding', () => {
    expect(isStoppedOut(account('0', '100', '-80'))).toBe(true);
    expect(isStoppedOut(account('0', '100', '-79.999999'))).toBe(false);
    expect(isStoppedOut(account('0', '100', '-500'))).toBe(true);
    expect(isStoppedOut(account('-5', '0', '0'))).toBe(false);
  });
});
