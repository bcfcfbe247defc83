import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { OrderSheet } from '../../../../../src/features/trading/orders/OrderSheet';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { scriptGateway } from '../../../scriptedGateway';
import { order, price } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

async function sheet(view: 'fields' | 'end' = 'fields') {
  const worker = scriptGateway();
  worker.scripted.watchOrders = async () => undefined;
  worker.scripted.closeOrder = async () => success({ data: order(), text: '' });
  const closed: string[] = [];
  await renderSettled(
    <OrderSheet order={order()} view={view} onClose={() => closed.push('closed')} />,
  );
  const dialog = await screen.findByRole('dialog');
  const text = () => dialog.textContent ?? '';
  const button = (name: string) => screen.getByRole('button', { name });
  return { ...worker, closed, text, button };
}

test('a pushed change is shown, a pushed close closes the sheet', async () => {
  const { frame, text, closed } = await sheet();
  const changed = order({ takeProfit: price('1.12') });
  await act(async () => frame({ events: [{ type: 'order-changed', order: changed }] }));
  expect(text()).toContain('1.12000');
  const other = order({ id: 8, status: 'closed' });
  await act(async () =>
    frame({ events: [{ type: 'order-closed', order: other, before: undefined }] }),
  );
  expect(closed).toEqual([]);
  const ended = order({ status: 'closed' });
  await act(async () =>
    frame({ events: [{ type: 'order-closed', order: ended, before: undefined }] }),
  );
  expect(closed).toEqual(['closed']);
});

test('the profit follows the price, with six decimals', async () => {
  const { frame, text } = await sheet();
  await act(async () => frame({ profits: [{ id: 7, profit: '-12.345678', price: 1.0988 }] }));
  expect(text()).toContain('-12.345678 USD');
  expect(text()).toContain('1.09880');
});

test('closing asks for one confirmation, which names the amount', async () => {
  const { text, button, count, closed } = await sheet('end');
  expect(text()).toContain('Close Buy 0.1 lots of EUR/USD');
  expect(text()).toContain('110.00 USD');
  expect(count('closeOrder')).toBe(0);
  await userEvent.click(button('Close order'));
  expect(count('closeOrder')).toBe(1);
  expect(closed).toEqual(['closed']);
});
