import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { columnsOf } from '../../../../../src/features/trading/orders/columns';
import { OrderTableRow } from '../../../../../src/features/trading/orders/OrderTableRow';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { order } from '../../sampleOrder';

test('a click anywhere in the row of an order opens that order once, its action the same for closing', async () => {
  await showLanguage('en');
  scriptWorkerApi().scripted.watchOrders = async () => undefined;
  const onOpen = vi.fn();
  const held = order({ status: 'holding' });
  const { getAllByRole, getByRole } = await renderSettled(
    <table>
      <tbody>
        <OrderTableRow
          order={held}
          index={0}
          columns={columnsOf('holding', false)}
          onOpen={onOpen}
        />
      </tbody>
    </table>,
  );
  const opened = (element: Element) => {
    onOpen.mockClear();
    fireEvent.click(element);
    return onOpen.mock.calls;
  };
  const cells = getAllByRole('cell').slice(0, -1);
  for (const cell of cells) expect(opened(cell)).toEqual([[held]]);
  expect(opened(getByRole('button', { name: 'EUR/USD, order 7' }))).toEqual([[held]]);
  expect(opened(getByRole('button', { name: 'Close: EUR/USD · Buy 0.1' }))).toEqual([
    [held, 'end'],
  ]);
});
