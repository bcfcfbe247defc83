import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { toUnitsPerLot } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { OrderSheet } from '../../../../../src/features/trading/orders/OrderSheet';
import type { OrderView } from '../../../../../src/features/trading/orders/openOrder';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { user } from '../../../../../src/worker/trading';
import { findSheet, renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD, lots, order, price, usd } from '../../sampleOrder';

beforeEach(async () => {
  user.value = { id: 1, demo: true } as typeof user.value;
  await showLanguage('en');
});

/** A worker of a server that closes parts of orders, or does not. */
function scriptedWorker(partialClose: boolean, instrument = EURUSD) {
  const worker = scriptWorkerApi([listRow(1, { instrument })]);
  worker.scripted.watchOrders = async () => undefined;
  worker.scripted.closeOrder = async () => success({ data: order(), text: '' });
  worker.scripted.setExits = async () => success({ data: order(), text: '' });
  worker.scripted.closePart = async () =>
    success({ data: order({ lots: lots('0.05') }), text: '' });
  worker.scripted.accountSettings = async () =>
    success(settingsWith(['trailing_stop', ...(partialClose ? ['partial_close'] : [])]));
  return worker;
}

async function sheet(
  view: OrderView = 'fields',
  partialClose = false,
  size = '0.1',
  change: Partial<Order> = {},
  instrument = EURUSD,
) {
  const worker = scriptedWorker(partialClose, instrument);
  const closed: string[] = [];
  await renderSettled(
    <OrderSheet
      order={order({ lots: lots(size), ...change })}
      view={view}
      onClose={() => closed.push('closed')}
    />,
  );
  const dialog = await findSheet();
  const text = () => dialog.textContent ?? '';
  const button = (name: string) => screen.getByRole('button', { name });
  return { ...worker, closed, text, button };
}

test('a change is shown, a pushed close closes the sheet', async () => {
  const { frame, hasOpen, text, closed } = await sheet();
  await act(async () => hasOpen(order({ takeProfit: price('1.12') })));
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

test.each([
  [true, 'Swap-6.50 USD'],
  [false, ''],
])('the swap of a position is shown where the server has it: %s', async (has, shown) => {
  const { scripted, hasOpen } = scriptedWorker(false);
  const features = has ? (['swap'] as const) : [];
  scripted.accountSettings = async () => success(settingsWith(features));
  const position = order({ swap: usd('-6.5') });
  await renderSettled(<OrderSheet order={position} view="fields" onClose={() => {}} />);
  const dialog = await findSheet();
  await waitFor(() => expect(dialog.textContent).toContain(shown));
  expect(dialog.textContent?.includes('Swap')).toBe(has);
  await act(async () => hasOpen(order({ swap: usd('-13') })));
  expect(dialog.textContent?.includes('Swap-13.00 USD')).toBe(has);
});

test('what was saved is kept by the next change, where no push tells of it', async () => {
  const { scripted, hasOpen, calls, text, button } = await sheet();
  scripted.setExits = async (_, { stopLoss, takeProfit }) => {
    const now = order({ stopLoss: price(stopLoss || 0), takeProfit: price(takeProfit || 0) });
    hasOpen(now);
    return success({ data: now, text: '' });
  };
  const add = async (exit: string, at: string) => {
    await userEvent.click(button('Edit SL/TP'));
    await userEvent.click(screen.getByRole('checkbox', { name: exit }));
    const field = screen.getAllByRole('textbox', { name: 'Price' }).at(-1) as HTMLElement;
    await userEvent.type(field, at);
    await userEvent.click(button('Save SL/TP'));
  };
  await add('Stop-loss', '1.05');
  expect(text()).toContain('Stop-loss1.05000');
  await add('Take-profit', '1.15');
  expect(calls.filter(({ method }) => method === 'setExits').map(({ args }) => args[1])).toEqual([
    { stopLoss: '1.05', takeProfit: '', trailing: '' },
    { stopLoss: '1.05', takeProfit: '1.15', trailing: '' },
  ]);
});

test('closing a position says its swap, which is part of the net result', async () => {
  const { text } = await sheet('end', false, '0.1', { swap: usd('-6.5') });
  expect(text()).toContain('Swap-6.50 USD');
  // At the entry price, with the fee of 0.20.
  await waitFor(() => expect(text()).toContain('Net result-6.70 USD'));
});

describe('opened a second time', () => {
  /** A sheet that is opened for one order after another. */
  async function sheets(partialClose = true) {
    const worker = scriptedWorker(partialClose);
    const closed: string[] = [];
    const of = (opened: Order | undefined, view: OrderView = 'end') => (
      <OrderSheet order={opened} view={view} onClose={() => closed.push('closed')} />
    );
    const { rerender } = await renderSettled(of(undefined));
    return {
      ...worker,
      closed,
      text: () => screen.getByRole('dialog').textContent ?? '',
      show: (opened: Order | undefined, view?: OrderView) =>
        act(async () => rerender(of(opened, view))),
      change: (changed: Order) => act(async () => worker.hasOpen(changed)),
    };
  }

  test('it shows the order as it is now, not as it was the last time', async () => {
    const { show, change, text, calls } = await sheets();
    await show(order({ lots: lots('0.2') }), 'fields');
    await change(order({ lots: lots('0.2'), stopLoss: price('1.01') }));
    await show(undefined);
    await change(order({ lots: lots('0.1'), stopLoss: price('1.01') }));
    await show(order({ lots: lots('0.1'), stopLoss: price('1.01') }), 'end');
    expect(text()).toContain('Close Buy 0.1 lots of EUR/USD');
    await userEvent.click(await screen.findByRole('radio', { name: '50%' }));
    await userEvent.click(screen.getByRole('button', { name: 'Close 0.05 lots' }));
    expect(calls.find(({ method }) => method === 'closePart')?.args.slice(0, 2)).toMatchObject([
      { id: 7, lots: lots('0.1') },
      '0.05',
    ]);
  });

  test('the share and the view that were chosen the last time are gone, of the same order and of another', async () => {
    const { show, text } = await sheets();
    for (const id of [7, 8]) {
      await show(order({ id, lots: lots('0.1') }), 'half');
      expect(text()).toContain('0.05 lots');
      // Opened again before the closing sheet is gone.
      await show(undefined);
      await show(order({ id, lots: lots('0.1') }), 'end');
      expect(text()).toContain('Close Buy 0.1 lots');
    }
  });

  test('the late answer to a close of the former order does not close it', async () => {
    const { show, scripted, closed } = await sheets();
    let answer = () => {};
    scripted.closeOrder = async ({ id }) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return success({ data: order({ id, status: 'closed' }), text: '' });
    };
    await show(order());
    await userEvent.click(screen.getByRole('button', { name: 'Close order' }));
    await show(undefined);
    await show(order({ id: 8 }));
    await act(async () => answer());
    expect(closed).toEqual([]);
  });

  test('an end of the former order does not close it, and an end of its own does', async () => {
    const { show, frame, closed } = await sheets();
    const end = (id: number) =>
      act(async () =>
        frame({
          events: [
            { type: 'order-closed', order: order({ id, status: 'closed' }), before: undefined },
          ],
        }),
      );
    await show(order());
    await show(order({ id: 8 }));
    await end(7);
    expect(closed).toEqual([]);
    await end(8);
    expect(closed).toEqual(['closed']);
  });
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

test('a part is closed where the server can, with its share of margin, fee and profit', async () => {
  const { frame, text, button, calls, count, closed } = await sheet('end', true);
  await userEvent.click(await screen.findByRole('radio', { name: '25%' }));
  await act(async () => frame({ profits: [{ id: 7, profit: '-12.000000', price: 1.0988 }] }));
  expect(text()).toContain('Close Buy 0.02 lots of EUR/USD');
  expect(text()).toContain('22.00 USD');
  // 0.02 lots × 100,000 × -0.0012 - 0.04 of the fee
  expect(text()).toContain('-2.44 USD (-11.09%)Handling fee0.04 USD');
  await act(async () =>
    frame({ profits: [{ id: 7, profit: '-12.000000', price: 1.0988, closingPrice: 1.0987 }] }),
  );
  expect(text()).toContain('-2.64 USD (-12.00%)');
  await userEvent.click(button('Close 0.02 lots'));
  expect(calls.find(({ method }) => method === 'closePart')?.args.slice(0, 2)).toMatchObject([
    { id: 7 },
    '0.02',
  ]);
  expect(count('closeOrder')).toBe(0);
  expect(closed).toEqual(['closed']);
});

test('the profit of a part is that of its own lots, not a share of the rounded profit', async () => {
  const tenth = { ...EURUSD, unitsPerLot: toUnitsPerLot('0.1') };
  const { frame, text } = await sheet('end', true, '0.1', {}, tenth);
  await userEvent.click(await screen.findByRole('radio', { name: '50%' }));
  // 0.1 × 0.1 × 1.00009 = 0.0100009, half of it 0.00500045: net of 0.10 -0.095000, where half of 0.010001 makes -0.094999.
  await act(async () => frame({ profits: [{ id: 7, profit: '0.010001', price: 2.10009 }] }));
  expect(text()).toContain('-0.10 USD (-0.17%)Handling fee0.10 USD');
});

test.each([
  ['the server closes orders whole', '0.1', false],
  ['the lots cannot be parted', '0.01', true],
])('no part is offered where %s', async (_, size, partialClose) => {
  const { count } = await sheet('end', partialClose, size);
  await waitFor(() => expect(count('accountSettings')).toBe(1));
  await act(async () => {});
  expect(screen.queryByRole('radio')).toBeNull();
});

test('a chosen part that cannot be closed any more does not turn into the whole order', async () => {
  const { hasOpen, button, count } = await sheet('end', true);
  await userEvent.click(await screen.findByRole('radio', { name: '25%' }));
  await act(async () => hasOpen(order({ lots: lots('0.02') })));
  await userEvent.click(button('Close order'));
  expect(count('closeOrder')).toBe(0);
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  await userEvent.click(button('Close order'));
  expect(count('closeOrder')).toBe(1);
});

test.each([
  [
    'a closed order',
    {},
    ['Profit+3.500000 USD', 'Net result+3.300000 USD', 'Handling fee0.20 USD'],
  ],
  ['a cancelled order', { price: price(0), profit: usd(0) }, ['Handling feeNone']],
])('%s shows its profit, fee and net result', async (_, change, shown) => {
  scriptedWorker(false);
  const closed = order({ status: 'closed', profit: usd('3.5'), closeReason: 'user', ...change });
  await renderSettled(<OrderSheet order={closed} view="fields" onClose={() => {}} />);
  const text = (await findSheet()).textContent ?? '';
  for (const part of shown) expect(text).toContain(part);
  expect(text.includes('Net result')).toBe(shown.length > 1);
});

test('a stop-loss that follows the price keeps its place until its distance is changed', async () => {
  const trailing = { stopLoss: price('1.09'), trailing: price('0.02') };
  const { calls, text, button } = await sheet('exits', false, '0.1', trailing);
  expect(text()).toContain('1.82% · Stop at 1.09000');
  const field = screen.getByRole('textbox', { name: 'Distance' });
  await userEvent.clear(field);
  await userEvent.type(field, '0.03');
  expect(text()).toContain('2.73% · Stop at 1.07000');
  await userEvent.click(button('Save SL/TP'));
  expect(calls.find(({ method }) => method === 'setExits')?.args.slice(0, 2)).toEqual([
    7,
    { stopLoss: '', takeProfit: '', trailing: '0.03' },
  ]);
});
