import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { showLanguage } from '../../../src/i18n/i18n';
import { EditStops } from '../../../src/positions/EditStops';
import { EURUSD, order, price } from '../features/sampleOrder';
import { renderSettled } from '../rendering';
import { listRow, quoteNumbers, scriptGateway } from '../scriptedGateway';

test('a dragged stop-loss that follows the price keeps following, at the distance of the drop', async () => {
  await showLanguage('en');
  const { scripted, calls, quotes } = scriptGateway([listRow(1, { instrument: EURUSD })]);
  // Another file of this process may have left another price.
  quotes(quoteNumbers(EURUSD.id, 1.1));
  scripted.watchOrders = async () => undefined;
  scripted.setStops = async () => success({ data: order(), text: '' });
  await renderSettled(
    <EditStops
      order={order({ stopLoss: price('1.09'), trailing: price('0.02') })}
      moved={{ kind: 'stopLoss', price: price('1.085') }}
      onDone={() => {}}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save stops' }));
  expect(calls.find(({ method }) => method === 'setStops')?.args.slice(0, 2)).toEqual([
    7,
    { stopLoss: '', takeProfit: '', trailing: '0.015' },
  ]);
});
