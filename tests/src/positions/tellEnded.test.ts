import { beforeEach, expect, test } from 'vitest';
import { showLanguage } from '../../../src/i18n/i18n';
import { tellEnded } from '../../../src/positions/tellEnded';
import { toasts } from '../../../src/ui/toasts';
import { order, usd } from '../features/sampleOrder';

beforeEach(async () => {
  toasts.value = [];
  await showLanguage('en');
});

test('what the market ended is told, with what it brought', () => {
  tellEnded(order({ status: 'closed', closeReason: 'take_profit', profit: usd('12.345678') }));
  tellEnded(order({ status: 'closed', closeReason: 'stop_out', profit: usd('-99') }));
  expect(toasts.value.map(({ tone, text }) => [tone, text])).toEqual([
    ['info', 'Take-profit: Buy 0.1 EUR/USD, +12.35 USD'],
    ['error', 'Stopped out: Buy 0.1 EUR/USD, -99.00 USD'],
  ]);
});

test('what the user did is not told twice', () => {
  for (const closeReason of ['user', 'cancelled', 'reset', ''] as const) {
    tellEnded(order({ status: 'closed', closeReason }));
  }
  expect(toasts.value).toEqual([]);
});
