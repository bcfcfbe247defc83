import { beforeAll, describe, expect, it } from 'vitest';
import { toDecimal } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { showLanguage } from '../../../src/i18n/i18n';
import { parseAmount } from '../../../src/i18n/parseAmount';

beforeAll(() => showLanguage('en'));

describe('a typed amount', () => {
  it('may have either decimal sign', () => {
    expect(parseAmount('1,5', readUsd)).toEqual({ value: toDecimal('1.5'), problem: undefined });
  });

  it('is empty if nothing is typed, and wrong if it is no number', () => {
    expect(parseAmount(' ', readUsd)).toEqual({ value: undefined, problem: undefined });
    expect(parseAmount('1x', readUsd)).toEqual({
      value: undefined,
      problem: { key: 'notANumber' },
    });
  });
});
