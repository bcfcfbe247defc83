import { expect, it } from 'vitest';
import { writtenParams } from '#domain/core/messageText';
import { availableTooLow } from '#domain/trading/available';
import { usd } from '../support/instruments';

it('formats the decimals of a message by language, with all their digits', () => {
  const params = { price: '1.10000', max: '1000', count: 1000, protocol: 'TRC20', loss: '-1234.5' };
  expect(writtenParams(params, 'de-u-nu-latn')).toEqual({
    price: '1,10000',
    max: '1.000',
    count: 1000,
    protocol: 'TRC20',
    loss: '-1.234,5',
  });
});

it('never rounds the available balance up to the required amount', () => {
  const { params } = availableTooLow(usd('100000'), usd('99999.999999'));
  expect(writtenParams(params, 'en')).toEqual({ needed: '100,000.00', free: '99,999.99' });
});
