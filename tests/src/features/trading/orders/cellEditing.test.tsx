import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Feature } from '#domain/api/features';
import { success } from '#domain/core/result';
import { fieldProblem } from '#domain/core/rule';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { TicketPreview } from '#domain/worker/trading';
import { columnsOf } from '../../../../../src/features/trading/orders/columns';
import {
  CellEditingContext,
  useCellEditing,
} from '../../../../../src/features/trading/orders/editedCell';
import { OrderTableRow } from '../../../../../src/features/trading/orders/OrderTableRow';
import { oneTap } from '../../../../../src/features/trading/settings';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { queries } from '../../../../../src/requests/queries';
import { renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD, lots, order, price } from '../../sampleOrder';

beforeEach(async () => {
  await showLanguage('en');
  queries.clear();
  oneTap.value = true;
});

afterEach(() => {
  oneTap.value = false;
});

const WAITING: Partial<Order> = {
  status: 'pending',
  price: price(0),
  originPrice: price('1.09'),
  stopLoss: price('1.08'),
};

function Table({ shown, onOpen }: { shown: Order; onOpen: () => void }) {
  return (
    <CellEditingContext value={useCellEditing(onOpen)}>
      <table>
        <tbody>
          <OrderTableRow
            order={shown}
            index={0}
            columns={columnsOf(shown.status as 'pending', false)}
            onOpen={onOpen}
          />
        </tbody>
      </table>
    </CellEditingContext>
  );
}

async function table(over: Partial<Order> = {}, features: Feature[] = ['amend', 'expiry']) {
  const worker = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  const { scripted, frame, calls } = worker;
  scripted.watchOrders = async () => undefined;
  scripted.setChange = async () => undefined;
  scripted.amendOrder = vi.fn(async () => success({ data: order(WAITING), text: '' }));
  scripted.setExits = async () => success({ data: order(), text: '' });
  scripted.accountSettings = async () => success(settingsWith(features));
  const onOpen = vi.fn();
  const { rerender } = await renderSettled(
    <Table shown={order({ ...WAITING, ...over })} onOpen={onOpen} />,
  );
  await act(async () => frame({ connection: { state: 'live', marketOffset: 0 } } as never));
  const button = (name: RegExp) => screen.getByRole('button', { name });
  const edit = async (name: RegExp) => {
    fireEvent.keyDown(button(name), { key: 'F2' });
    return screen.findByRole('textbox') as Promise<HTMLInputElement>;
  };
  const type = async (field: HTMLElement, text: string) => {
    await userEvent.clear(field);
    await userEvent.type(field, text);
  };
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('textbox'), { key });
  const sent = () =>
    calls
      .filter(({ method }) => method === 'amendOrder' || method === 'setExits')
      .map(({ args }) => args[1]);
  const become = (next: Partial<Order>) =>
    act(async () => rerender(<Table shown={order({ ...WAITING, ...next })} onOpen={onOpen} />));
  return { ...worker, onOpen, button, edit, type, press, sent, become };
}

test('a finger opens the sheet, also where a click does not say what made it', async () => {
  const { button, onOpen } = await table();
  fireEvent.pointerDown(button(/^Lots/), { pointerType: 'touch' });
  fireEvent.click(button(/^Lots/), { detail: 1 });
  expect(onOpen).toHaveBeenCalledTimes(1);
});

test('a double click edits, one click only takes the focus, and neither opens the sheet', async () => {
  const { button, onOpen } = await table();
  fireEvent.click(button(/^Lots/), { detail: 1 });
  expect(screen.queryByRole('textbox')).toBeNull();
  fireEvent.click(button(/^Lots/), { detail: 2 });
  expect(((await screen.findByRole('textbox')) as HTMLInputElement).value).toBe('0.1');
  expect(onOpen).not.toHaveBeenCalled();
});

test('a change of another term that comes meanwhile is sent along', async () => {
  const { edit, type, press, become, sent } = await table();
  await type(await edit(/^Lots/), '0.2');
  await become({ stopLoss: price('1.07') });
  press('Enter');
  await waitFor(() => expect(sent()).toMatchObject([{ lots: '0.2', stopLoss: '1.07' }]));
});

test('a change of the same term that comes meanwhile is told before it is replaced', async () => {
  const { edit, type, press, become, sent } = await table();
  await type(await edit(/^Lots/), '0.2');
  await become({ lots: lots('0.5') });
  press('Enter');
  expect(screen.getByRole('alert').textContent).toMatch(/^Changed to 0\.5 meanwhile/);
  expect(sent()).toEqual([]);
  press('Enter');
  await waitFor(() => expect(sent()).toMatchObject([{ lots: '0.2' }]));
});

test('leaving saves once, what is unchanged is not sent, and Escape gives back', async () => {
  const { edit, type, press, sent } = await table();
  await edit(/^Lots/);
  fireEvent.pointerDown(document.body);
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  await type(await edit(/^Lots/), '0.3');
  press('Escape');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(sent()).toEqual([]);
  await type(await edit(/^Lots/), '0.3');
  fireEvent.pointerDown(document.body);
  fireEvent.focusOut(screen.getByRole('textbox'), { relatedTarget: document.body });
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(sent()).toMatchObject([{ lots: '0.3' }]);
});

test('where orders are confirmed, the sheet asks, with what was entered', async () => {
  oneTap.value = false;
  const { edit, type, press, onOpen, sent } = await table();
  await type(await edit(/^Requested price/), '1.085');
  press('Enter');
  const edits = { target: '1.085' };
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith(order(WAITING), 'amend', edits));
  expect(sent()).toEqual([]);
});

test('a price that another term of the order forbids is not sent, which says why', async () => {
  const { edit, type, press, sent, calls, frame } = await table();
  await type(await edit(/^Requested price/), '1.07');
  const { args } = calls.filter(({ method }) => method === 'setChange').at(-1) ?? {};
  const [{ terms }] = args as [{ terms: AmendmentInput }];
  const problem = fieldProblem('stopLoss', 'stopLossNotBelow', { price: '1.07000' });
  await act(async () => frame({ change: { problem, revision: terms.revision } as TicketPreview }));
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe('Stop-loss must be below 1.07000');
  expect(sent()).toEqual([]);
});

test('while the connection is not proven nothing is edited or sent, which says why', async () => {
  const { edit, type, press, sent, button, frame } = await table();
  await type(await edit(/^Lots/), '0.2');
  await act(async () => frame({ connection: { state: 'offline', marketOffset: 0 } } as never));
  press('Enter');
  expect(screen.getByRole('alert').textContent).toBe('Offline');
  press('Escape');
  expect(button(/^Lots/).title).toBe('Offline');
  fireEvent.keyDown(button(/^Lots/), { key: 'F2' });
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(sent()).toEqual([]);
});

test('a server without amendments has the exits edited alone, and an empty one is taken off', async () => {
  const { edit, press, sent } = await table({ takeProfit: price('1.2') }, []);
  expect(screen.queryByRole('button', { name: /^Lots/ })).toBeNull();
  await userEvent.clear(await edit(/^Stop-loss/));
  press('Enter');
  const exits = { stopLoss: '', takeProfit: '1.2', trailing: '' };
  await waitFor(() => expect(sent()).toEqual([exits]));
});

test('of a stop-loss that follows the price the distance is edited', async () => {
  const trailing = { status: 'holding', trailing: price('0.02'), stopLoss: price('1.08') } as const;
  const { edit, type, press, sent } = await table(trailing);
  const field = await edit(/^Stop-loss/);
  expect(field.value).toBe('0.02000');
  await type(field, '0.03');
  press('Enter');
  await waitFor(() => expect(sent()).toMatchObject([{ stopLoss: '', trailing: '0.03' }]));
});

test.each<[string, Feature[]]>([
  ['amended', ['amend']],
  ['edited by its exits', []],
])('an emptied distance leaves the fixed stop-loss of an order that is %s', async (_, features) => {
  const { edit, type, press, sent } = await table({ trailing: price('0.02') }, features);
  const field = await edit(/^Stop-loss/);
  await type(field, '0.03');
  expect(field.value).toBe('0.03');
  await userEvent.clear(field);
  expect(field.value).toBe('');
  press('Enter');
  await waitFor(() => expect(sent()).toMatchObject([{ stopLoss: '1.08', trailing: '' }]));
});

test('a distance that is typed anew keeps the fixed stop-loss besides', async () => {
  const { edit, type, press, sent } = await table({ trailing: price('0.02') });
  await type(await edit(/^Stop-loss/), '0.03');
  press('Enter');
  await waitFor(() => expect(sent()).toMatchObject([{ stopLoss: '1.08', trailing: '0.03' }]));
});

test('keys of an input method neither save nor give back, in Safari too', async () => {
  const { edit, type, sent } = await table();
  const field = await edit(/^Lots/);
  await type(field, '0.2');
  for (const key of ['Enter', 'Escape'])
    for (const init of [{ isComposing: true }, { keyCode: 229 }])
      fireEvent.keyDown(field, { key, ...init });
  expect(screen.getByRole('textbox')).toBe(field);
  expect(sent()).toEqual([]);
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 });
  await waitFor(() => expect(sent()).toMatchObject([{ lots: '0.2' }]));
});
