import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Feature } from '#domain/api/features';
import { success } from '#domain/core/result';
import { fieldProblem } from '#domain/core/rule';
import { toUnixMs } from '#domain/core/time';
import type { AmendmentInput } from '#domain/trading/amendment';
import type { Order } from '#domain/trading/order';
import type { TicketPreview } from '#domain/worker/trading';
import { OrderSheet } from '../../../../../src/features/trading/orders/OrderSheet';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { queries } from '../../../../../src/requests/queries';
import { changePreview, user } from '../../../../../src/worker/trading';
import { findSheet, renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD, order, price } from '../../sampleOrder';

beforeEach(async () => {
  await showLanguage('en');
  queries.clear();
  changePreview.value = undefined;
});

const UNTIL = toUnixMs(Date.UTC(2030, 0, 2, 3));
const WAITING: Partial<Order> = {
  status: 'pending',
  price: price(0),
  originPrice: price('1.09'),
  stopLoss: price('1.08'),
  until: UNTIL,
};
const PREVIEW = { margin: '109', fee: '0.2', problem: undefined } as TicketPreview;

async function sheet(
  features: Feature[] = ['amend', 'expiry', 'trailing_stop'],
  over: Partial<Order> = {},
) {
  const worker = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  const { scripted, frame, calls } = worker;
  scripted.watchOrders = async () => undefined;
  scripted.setChange = async () => undefined;
  scripted.amendOrder = async () => success({ data: order(WAITING), text: 'Order changed' });
  scripted.accountSettings = async () => success(settingsWith(features));
  user.value = { id: 7, uid: '7', demo: true } as never;
  const closed: string[] = [];
  await renderSettled(
    <OrderSheet
      order={order({ ...WAITING, ...over })}
      view="fields"
      onClose={() => closed.push('closed')}
    />,
  );
  const dialog = await findSheet();
  await act(async () => frame({ connection: { state: 'live', marketOffset: 0 } } as never));
  const edit = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Edit order' }));
    await screen.findByRole('button', { name: 'Save changes' });
    await act(async () => frame({ change: PREVIEW }));
  };
  const box = (name: string) => screen.getByRole('textbox', { name });
  const type = async (name: string, text: string) => {
    await userEvent.clear(box(name));
    await userEvent.type(box(name), text);
  };
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const judge = (problem: TicketPreview['problem'], changesAgo = 0) => {
    const { args } = calls.filter(({ method }) => method === 'setChange').at(-1 - changesAgo) ?? {};
    const [{ terms }] = args as [{ terms: AmendmentInput }];
    return act(async () =>
      frame({ change: { ...PREVIEW, problem, revision: terms.revision } as TicketPreview }),
    );
  };
  const sent = () => calls.filter(({ method }) => method === 'amendOrder').map(({ args }) => args);
  return { ...worker, dialog, edit, type, save, sent, judge };
}

test('a pending order says its kind, the market and when it expires', async () => {
  const { dialog } = await sheet();
  expect(dialog.textContent).toContain('Buy limit');
  expect(dialog.textContent).toMatch(/1\.10000.*0\.91% below the market/);
  expect(dialog.textContent).toContain('Expires');
});

test('all its terms are sent together, those that were not touched as they were', async () => {
  const { edit, type, save, sent, calls } = await sheet();
  await edit();
  await type('Limit price', '1.085');
  await type('Lots', '0.2');
  await save();
  const terms = {
    targetPrice: '1.085',
    lots: '0.2',
    ...{ stopLoss: '1.08', takeProfit: '', trailing: '', until: UNTIL },
  };
  await waitFor(() => expect(sent()).toEqual([[7, terms, expect.any(String)]]));
  expect(calls.filter(({ method }) => method === 'setChange').at(-1)?.args).toEqual([undefined]);
});

test('the expiry is taken off', async () => {
  const { edit, save, sent } = await sheet();
  await edit();
  const select = screen.getByRole('combobox', { name: 'Expires' });
  await userEvent.selectOptions(select, 'Until cancelled');
  await save();
  await waitFor(() => expect(sent()[0]?.[1]).toMatchObject({ until: undefined }));
});

test('nothing is sent while a rule is broken, and its field says why', async () => {
  const { edit, type, save, sent, judge } = await sheet();
  await edit();
  await type('Lots', 'x');
  await save();
  expect(screen.getByText('This is not a number')).toBeTruthy();
  await type('Lots', '0.1');
  const problem = { field: 'until', message: { key: 'expiryPast' } } as const;
  await judge(problem);
  await save();
  expect(screen.getByText('The expiry must be in the future')).toBeTruthy();
  const needed = { needed: '5', free: '4' };
  const poor = { field: 'balance', message: { key: 'availableTooLow', params: needed } } as const;
  await judge(poor);
  await save();
  expect(screen.getByRole('alert').textContent).toContain('Insufficient funds');
  expect(sent()).toEqual([]);
});

test('a fixed stop-loss that is wrong marks the distance which stands in for it', async () => {
  const { edit, type, save, sent, judge } = await sheet(undefined, {
    trailing: price('0.02'),
    stopLoss: price('1.08'),
  });
  await edit();
  await type('Limit price', '1.07');
  await judge(fieldProblem('stopLoss', 'stopLossNotBelow', { price: '1.07000' }));
  await save();
  expect(screen.getByText('Stop-loss must be below 1.07000')).toBeTruthy();
  expect(sent()).toEqual([]);
});

test('a price that begins with a zero can be typed where the stop-loss follows it', async () => {
  const { edit, type, save, sent } = await sheet(undefined, { trailing: price('0.02') });
  await edit();
  await type('Limit price', '0.9');
  await save();
  expect(sent()[0]?.[1]).toMatchObject({ targetPrice: '0.9', trailing: '0.02' });
});

test('a stop-loss in USD that has no price yet is not sent as none', async () => {
  const { edit, type, save, sent } = await sheet();
  await edit();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await type('USD', '50');
  await act(async () => {
    changePreview.value = undefined;
  });
  await save();
  expect(screen.getByText('There is no price yet')).toBeTruthy();
  expect(sent()).toEqual([]);
});

test('a problem of former terms, which comes after they were corrected, keeps nothing back', async () => {
  const { edit, type, save, sent, judge } = await sheet();
  await edit();
  await type('Lots', '0');
  await type('Lots', '0.2');
  await judge({ field: 'lots', message: { key: 'lotsRequired' } }, 1);
  await save();
  expect(sent()).toHaveLength(1);
});

test('once it is filled, its details are shown', async () => {
  const { edit, hasOpen, dialog } = await sheet();
  await edit();
  const filled = order({ ...WAITING, status: 'holding', price: price('1.09') });
  await act(async () => hasOpen(filled));
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  expect(dialog.textContent).toContain('Holding');
});

test('a server without amendments has its exits edited, and one without expiries is asked for none', async () => {
  const old = await sheet(['trailing_stop']);
  expect(old.dialog.textContent).toContain('Edit SL/TP');
  expect(screen.queryByRole('button', { name: 'Edit order' })).toBeNull();
});

test('without expiries there is no field for it', async () => {
  const { edit } = await sheet(['amend']);
  await edit();
  expect(screen.queryByRole('combobox', { name: 'Expires' })).toBeNull();
});
