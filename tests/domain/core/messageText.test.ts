import { expect, it } from 'vitest';
import { writtenParams } from '#domain/core/messageText';
import { availableTooLow } from '#domain/trading/available';
import english from '#locales/en';
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

it('leaves names and codes as they are, also those of digits', () => {
  const params = { code: '88888888', key: '1000', name: '1000', price: '1000' };
  expect(writtenParams(params, 'en')).toEqual({ ...params, price: '1,000' });
});

// A new parameter is one of these, or a text of `TEXTS`.
it('knows of each parameter of a message whether it is an amount', () => {
  const sentences = [...Object.values(english.rules), ...Object.values(english.server)];
  const names = sentences.flatMap((sentence) =>
    typeof sentence === 'string'
      ? [...sentence.matchAll(/{{(\w+)}}/g)].map(([, name = '']) => name)
      : [],
  );
  const written = [...new Set(names)].filter(
    (name) => writtenParams({ [name]: '1000' }, 'en')[name] !== '1000',
  );
  const amounts = ['amount', 'fee', 'free', 'lots', 'leverage', 'max', 'min', 'needed', 'price'];
  const counts = ['decimals', 'hours', 'minutes', 'most', 'seconds'];
  expect(written.sort()).toEqual([...amounts, ...counts, 'step'].sort());
});

it('never rounds the available balance up to the required amount', () => {
  const { params } = availableTooLow(usd('100000'), usd('99999.999999'));
  expect(writtenParams(params, 'en')).toEqual({ needed: '100,000.00', free: '99,999.99' });
});
