import { beforeEach, expect, test } from 'vitest';
import { kindText } from '../../../../../src/features/trading/ticket/pendingText';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { order, price } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

test('names a pending order by its side alone where the server does not say the price', () => {
  const pending = order({
    status: 'pending',
    originPrice: price('1.2'),
    updatePrice: price('1.3'),
  });
  expect(kindText(pending)).toBe('Buy limit');
  expect(kindText({ ...pending, updatePrice: price('0') })).toBe('Buy');
});
