import { expect, test } from 'vitest';
import { OrderRow } from '../../../../../src/features/trading/orders/OrderRow';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { order, price, usd } from '../../sampleOrder';

const stops = { stopLoss: price('1.09'), takeProfit: price('1.12') };

test.each([
  ['holding', stops, 'SL 1.09000TP 1.12000'],
  ['pending', { stopLoss: price('1.09') }, 'SL 1.09000'],
  [
    'holding',
    { ...stops, trailing: price('0.01') },
    'SL 1.09000 trailing \u20660.01000\u2069TP 1.12000',
  ],
  ['pending', { trailing: price('0.01') }, 'SL trailing \u20660.01000\u2069'],
  ['holding', {}, undefined],
  // A closed order says how it ended.
  ['closed', stops, undefined],
] as const)('a row of an order that is %s with stops %j', async (status, set, shown) => {
  await showLanguage('en');
  scriptWorkerApi().scripted.watchOrders = async () => undefined;
  const { container } = await renderSettled(
    <OrderRow order={order({ status, ...set })} onOpen={() => {}} />,
  );
  const text = container.textContent;
  if (shown) expect(text).toContain(shown);
  else expect(text).not.toMatch(/SL|TP/);
});

test('a closed order says both prices, its fee, and what is left after it', async () => {
  await showLanguage('en');
  scriptWorkerApi();
  const closed = order({
    status: 'closed',
    closeReason: 'user',
    updatePrice: price('1.10015'),
    profit: usd('0.15'),
  });
  const { container, rerender } = await renderSettled(
    <OrderRow order={closed} onOpen={() => {}} />,
  );
  expect(container.textContent).toContain('-0.05 USD (-0.05%)');
  expect(container.textContent).toContain('1.10000 → 1.10015');
  expect(container.textContent).toContain('Handling fee 0.20');
  expect(container.querySelector('[data-direction]')?.getAttribute('data-direction')).toBe('down');
  rerender(<OrderRow order={{ ...closed, price: price(0), profit: usd(0) }} onOpen={() => {}} />);
  expect(container.textContent).not.toMatch(/→|fee/);
});
