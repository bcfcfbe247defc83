import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { TicketPreview } from '#domain/worker/trading';
import { AmendOrder } from '../../../../../src/features/trading/amend/AmendOrder';
import { leverage, oneTap, sizeUnit } from '../../../../../src/features/trading/settings';
import { OrderForm } from '../../../../../src/features/trading/ticket/OrderForm';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { EditExits } from '../../../../../src/positions/EditExits';
import {
  type PracticeOrders,
  PracticeOrdersContext,
} from '../../../../../src/positions/practiceOrders';
import { toasts } from '../../../../../src/ui/toastStore';
import { armingTimers } from '../../../../../src/ui/useArmed';
import { connectionState } from '../../../../../src/worker/frameReceiver';
import { ticketPreview, user } from '../../../../../src/worker/trading';
import { renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order, price } from '../../sampleOrder';

/** The clock of the session. */
const NOW = toUnixMs(Date.UTC(2026, 5, 3, 12));
const PRACTISED = { ...EURUSD, id: -EURUSD.id };
const preview = {
  ...{ price: '1.10000', exitReference: '1.10000', atQuote: false, margin: '22.00', fee: '0.02' },
  ...{ units: '1000', value: '1100', maxLots: '45.4', availableAfter: '99.98' },
  problem: undefined,
} as TicketPreview;

// A visitor without a connection: neither the account nor the server matter to a session.
beforeEach(async () => {
  user.value = null;
  toasts.value = [];
  ticketPreview.value = undefined;
  oneTap.value = false;
  connectionState.value = { state: 'offline', marketOffset: undefined };
  vi.spyOn(armingTimers, 'after').mockImplementation((_, task) => {
    task();
    return () => undefined;
  });
  await showLanguage('en');
});

/** A worker that has no call of the account: each would throw. */
function session() {
  const worker = scriptWorkerApi();
  const tickets: (TicketInput | undefined)[] = [];
  const placed: TicketInput[] = [];
  const exits: unknown[] = [];
  const changes: unknown[] = [];
  const amended: unknown[] = [];
  const orders: PracticeOrders = {
    row: listRow(-1, { instrument: PRACTISED }),
    drawings: 'fulcrum.practice.1',
    now: () => NOW,
    setChange: (change) => changes.push(change),
    amendOrder: async (id, terms) => {
      amended.push([id, terms]);
      return success({ data: undefined, text: '' });
    },
    setTicket: (ticket) => tickets.push(ticket),
    place: (ticket) => placed.push(ticket),
    setExits: async (id, entered) => {
      exits.push([id, entered]);
      return success({ data: order({ id, takeProfit: price(entered.takeProfit) }), text: '' });
    },
  };
  return { ...worker, orders, tickets, placed, exits, changes, amended };
}

const form = (orders: PracticeOrders) =>
  renderSettled(
    <MemoryRouter>
      <PracticeOrdersContext value={orders}>
        <OrderForm row={listRow(-1, { instrument: PRACTISED })} side="sell" />
      </PracticeOrdersContext>
    </MemoryRouter>,
  );

test('the order form of a session orders there, without an account or a connection', async () => {
  const { orders, tickets, placed, frame, calls } = session();
  const page = await form(orders);
  expect(tickets.at(-1)).toMatchObject({ instrumentId: PRACTISED.id, side: 'sell' });
  await act(async () => frame({ ticket: preview }));
  expect(screen.queryByRole('button', { name: /demo/i })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Sell 0.01 lot/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(placed).toEqual([
    expect.objectContaining({ instrumentId: PRACTISED.id, side: 'sell', lots: '0.01' }),
  ]);
  await act(async () => page.unmount());
  expect(tickets.at(-1)).toBeUndefined();
  const account = ['submit', 'setTicket', 'signInDemo'];
  expect(calls.filter(({ method }) => account.includes(method))).toEqual([]);
});

test('leverage and unit of the size that are chosen in a session are not those of the next order', async () => {
  leverage.value = '50';
  sizeUnit.value = 'lots';
  const { orders, tickets } = session();
  await form(orders);
  await userEvent.click(screen.getByRole('radio', { name: '200×' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit of the size' }), 'USD');
  expect(tickets.at(-1)).toMatchObject({ leverage: '200' });
  expect([leverage.value, sizeUnit.value]).toEqual(['50', 'lots']);
});

test('no slippage of slow prices is told of in a session, where none is applied', async () => {
  const { orders, placed, frame } = session();
  await form(orders);
  await act(async () => {
    frame({ ticket: preview });
    connectionState.value = { state: 'slow', marketOffset: undefined };
  });
  expect(screen.queryByText(/Maximum slippage/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Sell 0.01 lot/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(placed).toMatchObject([{ deviation: '' }]);
});

test('exits of an order of a session are set there, and no undo is offered that would be sent', async () => {
  const { orders, exits, scripted, calls } = session();
  scripted.row = async () => undefined;
  scripted.watchOrders = async () => undefined;
  const held = order({ id: -1, instrumentId: PRACTISED.id, status: 'holding' });
  let done = false;
  await renderSettled(
    <MemoryRouter>
      <PracticeOrdersContext value={orders}>
        <EditExits order={held} onDone={() => (done = true)} />
      </PracticeOrdersContext>
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('checkbox', { name: 'Take-profit' }));
  await userEvent.type(screen.getByLabelText('Price'), '99999');
  await userEvent.click(screen.getByRole('button', { name: 'Save SL/TP' }));
  expect(exits).toEqual([[-1, expect.objectContaining({ takeProfit: '99999' })]]);
  expect(done).toBe(true);
  expect(toasts.peek()).toEqual([]);
  expect(calls.filter(({ method }) => method === 'setExits')).toEqual([]);
});

test('a pending order of a session is amended there, until the end of a day of the session', async () => {
  const { orders, changes, amended, frame, scripted, calls } = session();
  scripted.row = async () => undefined;
  const waiting = order({ id: -1, instrumentId: PRACTISED.id, status: 'pending' });
  let done = false;
  await renderSettled(
    <MemoryRouter>
      <PracticeOrdersContext value={orders}>
        <AmendOrder order={waiting} onDone={() => (done = true)} />
      </PracticeOrdersContext>
    </MemoryRouter>,
  );
  const lots = screen.getByLabelText('Lots');
  await userEvent.clear(lots);
  await userEvent.type(lots, '0.5');
  await userEvent.selectOptions(screen.getByLabelText('Expires'), 'Today');
  const terms = { lots: '0.5', until: Date.UTC(2026, 5, 4) };
  expect(changes.at(-1)).toEqual({ id: -1, terms: expect.objectContaining(terms) });
  await act(async () => frame({ change: preview }));
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(amended).toEqual([[-1, expect.objectContaining(terms)]]);
  expect(done).toBe(true);
  expect(toasts.peek()).toEqual([]);
  const account = ['amendOrder', 'setChange'];
  expect(calls.filter(({ method }) => account.includes(method))).toEqual([]);
});
