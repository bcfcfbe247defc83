import { expect, test } from 'vitest';
import { PlacedToast } from '../../../../../src/features/trading/ticket/PlacedToast';
import { placedOrder } from '../../../../../src/features/trading/ticket/placeOrder';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { renderSettled } from '../../../rendering';
import { lots, order, price } from '../../sampleOrder';

test('an order is reported once, with its stops', async () => {
  await showLanguage('en');
  toasts.value = [];
  const data = order({ lots: lots('0.05'), price: price('1.2'), stopLoss: price('1.1') });
  placedOrder.value = { data, text: '' };
  await renderSettled(<PlacedToast />);
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Order placed: Buy 0.05 lots of EUR/USD at 1.20000, order 7 · Stop-loss 1.10000',
  ]);
  expect(placedOrder.value).toBeUndefined();
});

test('an order whose late answer was told already is not told again', async () => {
  toasts.value = [];
  placedOrder.value = { data: order(), text: '', reported: true };
  await renderSettled(<PlacedToast />);
  expect(toasts.value).toEqual([]);
  expect(placedOrder.value).toBeUndefined();
});
