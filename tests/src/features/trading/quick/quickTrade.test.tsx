import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import QuickTrade from '../../../../../src/features/trading/quick/QuickTrade';
import {
  quickLargest,
  quickLots,
  quickTurnedOn,
} from '../../../../../src/features/trading/quick/quickSettings';
import { leverage } from '../../../../../src/features/trading/settings';
import { placedOrder } from '../../../../../src/features/trading/ticket/placeOrder';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { user } from '../../../../../src/worker/trading';
import { arm, holdArming } from '../../../arming';
import { renderSettled, settle } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, lots, order } from '../../sampleOrder';

beforeEach(async () => {
  user.value = { id: 1, demo: true } as User;
  quickTurnedOn.value = undefined;
  quickLots.value = {};
  quickLargest.value = '10000';
  leverage.value = '100';
  placedOrder.value = undefined;
  holdArming();
  await showLanguage('en');
});

async function panel(held: readonly Order[] = []) {
  const worker = scriptWorkerApi();
  const { scripted, calls } = worker;
  scripted.submit = async () => success({ data: order({ id: 9 }), text: 'Order placed' });
  scripted.closeOrder = async () => success({ data: order({ status: 'closed' }), text: '' });
  scripted.reverseOrder = async () =>
    success({ closed: order({ status: 'closed' }), opened: order({ id: 10, side: 'sell' }) });
  scripted.watchOrders = async () => undefined;
  scripted.ordersOf = async () => [...held];
  const row = listRow(1, { instrument: EURUSD });
  await renderSettled(
    <MemoryRouter>
      <QuickTrade row={row} />
    </MemoryRouter>,
  );
  const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
  const argsOf = (method: string) =>
    calls.filter((call) => call.method === method).map(({ args }) => args);
  const turnOn = async () => {
    await press('Turn one-tap trading on');
    await arm();
  };
  const quote = (flags: number) =>
    act(async () => worker.quotes(quoteNumbers(EURUSD.id, 1.1, { flags })));
  return { ...worker, press, argsOf, turnOn, quote };
}

const sides = (sent: readonly unknown[][]) => sent.map(([ticket]) => (ticket as TicketInput).side);

test('a tap orders at the price on the button, once it is turned on and half a second has passed', async () => {
  const { press, argsOf } = await panel();
  expect(screen.queryByRole('button', { name: /^Buy/ })).toBeNull();
  await press('Turn one-tap trading on');
  await press(/^Buy/);
  expect(argsOf('submit')).toEqual([]);
  await arm();
  await press(/^Sell/);
  await press(/^Buy/);
  expect(sides(argsOf('submit'))).toEqual(['sell', 'buy']);
  const [ticket] = argsOf('submit')[0] as [TicketInput];
  expect(ticket).toMatchObject({
    ...{ instrumentId: EURUSD.id, type: 'market', lots: '0.01', leverage: '100' },
    ...{ stopLoss: '', takeProfit: '', trailing: '', deviation: '' },
  });
  const shown = screen.getByRole('button', { name: /^Sell/ }).textContent;
  expect(shown).toContain(ticket.targetPrice);
  // No popup covers the chart.
  expect(placedOrder.value).toBeUndefined();
  await press('Turn one-tap trading off');
  expect(screen.queryByRole('button', { name: /^Buy/ })).toBeNull();
});

test('while an order is sent, its button keeps the focus of a keyboard, and a status says so', async () => {
  const { press, turnOn, scripted, argsOf } = await panel();
  let answer = () => {};
  scripted.submit = () =>
    new Promise((resolve) => {
      answer = () => resolve(success({ data: order({ id: 9 }), text: '' }));
    });
  await turnOn();
  await press(/^Buy/);
  await press(/^Buy/);
  const button = screen.getByRole('button', { name: /^Buy/ }) as HTMLButtonElement;
  expect([button.disabled, button === document.activeElement]).toEqual([false, true]);
  expect(screen.getByRole('status').textContent).toBe('Sending…');
  expect(argsOf('submit')).toHaveLength(1);
  await act(async () => answer());
  expect(screen.getByRole('status').textContent).toBe('');
});

test('it is off again, and stays off, when the market has closed', async () => {
  const { turnOn, quote } = await panel();
  await turnOn();
  await quote(0);
  expect(screen.queryByRole('button', { name: /^Buy/ })).toBeNull();
  expect(screen.getByText('The market is closed')).toBeTruthy();
  await quote(1);
  expect(screen.getByRole('button', { name: 'Turn one-tap trading on' })).toBeTruthy();
});

test('the panel of another chart, whose market is closed, turns it off neither as it comes nor as it goes', async () => {
  const { turnOn } = await panel();
  await turnOn();
  const { quote } = listRow(2);
  const closed = listRow(2, { quote: { ...quote, marketOpen: false } });
  const { unmount } = await renderSettled(
    <MemoryRouter>
      <QuickTrade row={closed} />
    </MemoryRouter>,
  );
  expect(quickTurnedOn.value).toBe(EURUSD.id);
  unmount();
  expect(quickTurnedOn.value).toBe(EURUSD.id);
});

test('a position is turned round, or closed', async () => {
  const { turnOn, press, argsOf } = await panel([
    order({ id: 1, side: 'buy', lots: lots('0.05') }),
  ]);
  await turnOn();
  await press('Reverse');
  const [[reversed, quoteSeen, keys] = []] = argsOf('reverseOrder');
  expect(reversed).toMatchObject({ id: 1 });
  expect(Number(quoteSeen)).toBeGreaterThan(0);
  expect(new Set(Object.values(keys as object)).size).toBe(2);
  await press('Close');
  expect(argsOf('closeOrder').map(([closed]) => closed)).toEqual([
    expect.objectContaining({ id: 1 }),
  ]);
});

test('a position above the limit is not turned round', async () => {
  const { turnOn, press, argsOf } = await panel([order({ lots: lots('5') })]);
  await turnOn();
  await press('Reverse');
  expect(argsOf('reverseOrder')).toEqual([]);
  expect(screen.getByRole('alert').textContent).toBe('Larger than your limit of 10,000.00 USD');
});

test('several positions are closed together, and none is turned round', async () => {
  const { turnOn, press, argsOf } = await panel([order({ id: 1 }), order({ id: 2 })]);
  await turnOn();
  expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  await press('Close');
  expect(argsOf('closeOrder')).toHaveLength(2);
});

test('a close that ends with the connection says how many positions it has left open', async () => {
  const { turnOn, press, argsOf, scripted, frame } = await panel([
    order({ id: 1 }),
    order({ id: 2 }),
    order({ id: 3 }),
  ]);
  scripted.closeOrder = async () => {
    frame({ connection: { state: 'offline', marketOffset: undefined } });
    return success({ data: order({ status: 'closed' }), text: '' });
  };
  await turnOn();
  await press('Close');
  await settle();
  expect(argsOf('closeOrder')).toHaveLength(1);
  expect(toasts.value.at(-1)).toMatchObject({
    tone: 'error',
    text: '1 order closed: -0.20 USD\n2 orders were not closed',
  });
});

test('an order above the limit is not sent, nor any without a limit', async () => {
  const { press, argsOf, turnOn } = await panel();
  await turnOn();
  const lots = screen.getByRole('textbox', { name: 'Lots' });
  await userEvent.clear(lots);
  await userEvent.type(lots, '1');
  await press(/^Buy/);
  expect(screen.getByRole('alert').textContent).toBe('Larger than your limit of 10,000.00 USD');
  quickLargest.value = '';
  await userEvent.clear(lots);
  await userEvent.type(lots, '0.01');
  await press(/^Buy/);
  expect(argsOf('submit')).toEqual([]);
});

test.each([
  ['x', 'Please enter the number of lots'],
  ['', 'Please enter the number of lots'],
  ['0.015', 'Lots must be a multiple of 0.01'],
  ['-1', 'Minimum lots: 0.01'],
])('lots of "%s" order nothing: %s', async (text, why) => {
  const { press, argsOf, turnOn } = await panel();
  await turnOn();
  const lots = screen.getByRole('textbox', { name: 'Lots' });
  await userEvent.clear(lots);
  if (text) await userEvent.type(lots, text);
  expect(lots.getAttribute('aria-invalid')).toBe('true');
  await press(/^Buy/);
  expect(screen.getByRole('alert').textContent).toBe(why);
  expect(argsOf('submit')).toEqual([]);
});

test('lots of an earlier day that are too few by now are marked, and order nothing', async () => {
  quickLots.value = { [EURUSD.id]: '0.001' };
  const { press, argsOf, turnOn } = await panel();
  await turnOn();
  const lots = screen.getByRole('textbox', { name: 'Lots' });
  expect(lots.getAttribute('aria-invalid')).toBe('true');
  await press(/^Buy/);
  expect(argsOf('submit')).toEqual([]);
});

test('lots that are set elsewhere are those of the field', async () => {
  const { press, argsOf, turnOn } = await panel();
  await turnOn();
  const lots = screen.getByRole<HTMLInputElement>('textbox', { name: 'Lots' });
  await userEvent.clear(lots);
  await userEvent.type(lots, '0.02');
  act(() => {
    quickLots.value = { [EURUSD.id]: '0.03' };
  });
  expect(lots.value).toBe('0.03');
  await press(/^Buy/);
  expect(argsOf('submit')).toMatchObject([[{ lots: '0.03' }, expect.anything()]]);
});

test('a visitor has none', async () => {
  user.value = null;
  await panel();
  expect(screen.queryByRole('region')).toBeNull();
});
