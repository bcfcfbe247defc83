import { act } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlacedSheet } from '../../../../../src/features/trading/ticket/PlacedSheet';
import { placedOrder } from '../../../../../src/features/trading/ticket/placeOrder';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { findSheet, renderSettled } from '../../../rendering';
import { lots, order, price } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));
afterEach(() =>
  act(async () => {
    placedOrder.value = undefined;
  }),
);

test.each([
  [order({ price: price(1.2339) }), 'at 1.23390'],
  [
    order({ price: price('1.2'), stopLoss: price('1.1'), takeProfit: price('1.3') }),
    'at 1.20000, order 7 · Stop-loss 1.10000 · Take-profit 1.30000',
  ],
  [order({ status: 'pending', price: price(0), originPrice: price('1.2') }), 'pending at 1.20000'],
])(
  'names price and stops, with the decimals of their instrument, however the server wrote them',
  async (accepted, shown) => {
    placedOrder.value = { data: { ...accepted, lots: lots('0.05') }, text: '' };
    await renderSettled(
      <MemoryRouter>
        <PlacedSheet />
      </MemoryRouter>,
    );
    const dialog = await findSheet();
    expect(dialog.textContent).toContain(`Buy 0.05 lots of EUR/USD ${shown}`);
  },
);

test('does not come again on a later screen', async () => {
  placedOrder.value = { data: order(), text: '' };
  const { unmount } = await renderSettled(
    <MemoryRouter>
      <PlacedSheet />
    </MemoryRouter>,
  );
  unmount();
  expect(placedOrder.value).toBeUndefined();
});
