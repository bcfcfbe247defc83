import { act, fireEvent, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { failed, success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { TicketPreview } from '#domain/worker/trading';
import { leverage, oneTap, sizeUnit } from '../../../../../src/features/trading/settings';
import { OrderForm } from '../../../../../src/features/trading/ticket/OrderForm';
import { placedOrder } from '../../../../../src/features/trading/ticket/placeOrder';
import { useTicket } from '../../../../../src/features/trading/ticket/useTicket';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { proposal } from '../../../../../src/instruments/proposal';
import { toasts } from '../../../../../src/ui/toastStore';
import { apply } from '../../../../../src/worker/frameReceiver';
import { unanswered } from '../../../../../src/worker/requests';
import { ticketPreview, user } from '../../../../../src/worker/trading';
import { eventually } from '../../../../helpers/eventually';
import { arm, holdArming } from '../../../arming';
import { renderSettled, settle } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order } from '../../sampleOrder';

const someone = { id: 1, demo: true } as User;
const preview: TicketPreview = {
  price: '1.10000',
  exitReference: '1.10000',
  reference: undefined,
  atQuote: false,
  margin: '22.00',
  fee: '0.02',
  units: '1000',
  value: '1100',
  pointValue: '0.01',
  availableAfter: '99977.98',
  maxLots: '45.4',
  stopOutPrice: undefined,
  risk: undefined,
  riskPercent: undefined,
  rewardToRisk: undefined,
  lotsAtRisk: undefined,
  problem: undefined,
};

beforeEach(async () => {
  user.value = someone;
  ticketPreview.value = undefined;
  unanswered.value = [];
  placedOrder.value = undefined;
  oneTap.value = false;
  leverage.value = '';
  sizeUnit.value = 'lots';
  holdArming();
  await showLanguage('en');
});

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

async function ticket(over: Parameters<typeof listRow>[1] = {}) {
  const worker = scriptWorkerApi();
  let answer: (result: ReturnType<typeof success> | ReturnType<typeof failed>) => void = () =>
    undefined;
  worker.scripted.setTicket = async () => undefined;
  worker.scripted.submit = () =>
    new Promise((resolve) => {
      answer = resolve as typeof answer;
    });
  worker.scripted.signInDemo = async () => {
    user.value = someone;
    return success(someone);
  };
  const row = listRow(1, { instrument: EURUSD, ...over });
  const content = (mode: 'visible' | 'hidden') => (
    <MemoryRouter initialEntries={['/trade']}>
      <Address />
      <Activity mode={mode}>
        <OrderForm row={row} side="buy" />
      </Activity>
    </MemoryRouter>
  );
  const page = await renderSettled(content('visible'));
  /** Shows another screen in place of the form while `act` runs. */
  const behind = async (run: () => Promise<void>) => {
    await act(async () => page.rerender(content('hidden')));
    await act(run);
    await act(async () => page.rerender(content('visible')));
  };
  const lastTicket = () =>
    worker.calls.filter(({ method }) => method === 'setTicket').at(-1)?.args[0] as TicketInput;
  const frame = (ticket: TicketPreview) =>
    act(async () => worker.frame({ ticket: { revision: lastTicket().revision, ...ticket } }));
  await frame(preview);
  const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
  const type = async (input: HTMLInputElement | undefined, text: string) => {
    if (!input) throw new Error('no field');
    await userEvent.clear(input);
    await userEvent.type(input, text);
  };
  return {
    ...worker,
    page,
    behind,
    frame,
    button,
    type,
    field: (index: number) => screen.getAllByRole<HTMLInputElement>('textbox')[index],
    answer: (result: Parameters<typeof answer>[0]) => act(async () => answer(result)),
    submitted: () =>
      worker.calls.filter(({ method }) => method === 'submit').map(({ args }) => args),
    lastTicket,
  };
}

test('an order is confirmed once, sent with the quote seen, and locked until answered', async () => {
  const { button, submitted, answer, page } = await ticket();
  await userEvent.click(button('Buy 0.01 lots'));
  expect(submitted()).toEqual([]);
  expect(page.container.textContent).toContain('Margin 22.00 USD, fee 0.02 USD');
  // A second tap in the same place comes too soon to have read that.
  await userEvent.click(button('Confirm'));
  expect(submitted()).toEqual([]);
  await arm();
  await userEvent.click(button('Confirm'));
  const [[input, key] = []] = submitted();
  expect(input).toMatchObject({ lots: '0.01', leverage: '50', targetPrice: '1.10000' });
  const sending = button('Sending…');
  // Not disabled: that would lose the focus.
  expect(sending.getAttribute('aria-disabled')).toBe('true');
  await act(async () => {
    unanswered.value = [{ key: key as string, subject: { kind: 'submit' }, state: 'asking' }];
  });
  expect(button(/Checking/).getAttribute('aria-disabled')).toBe('true');
  await answer(success({ data: order(), text: '' }));
  expect(placedOrder.value?.data.id).toBe(7);
  expect(button('Buy 0.01 lots').hasAttribute('aria-disabled')).toBe(false);
});

test.each(['hidden', 'gone'])(
  'an order whose form is %s when the answer comes is told of in a toast',
  async (how) => {
    toasts.value = [];
    oneTap.value = true;
    const { button, behind, page, submitted, answer } = await ticket();
    await arm();
    await userEvent.click(button('Buy 0.01 lots'));
    expect(submitted()).toHaveLength(1);
    if (how === 'gone') page.unmount();
    const answered = () => answer(success({ data: order(), text: '' }));
    await (how === 'gone' ? answered() : behind(answered));
    expect(toasts.value.map(({ text }) => text)).toEqual([
      'Order placed: Buy 0.1 lots of EUR/USD at 1.10000, order 7',
    ]);
    expect(placedOrder.value).toBeUndefined();
  },
);

test('one-tap trading asks for no confirmation', async () => {
  oneTap.value = true;
  const { button, submitted, answer } = await ticket();
  await userEvent.click(button('Buy 0.01 lots'));
  expect(submitted()).toEqual([]);
  await arm();
  await userEvent.click(button('Buy 0.01 lots'));
  expect(submitted()).toHaveLength(1);
  await answer(failed({ kind: 'refused', code: 2, text: 'no' }));
  expect(placedOrder.value).toBeUndefined();
});

test('a visitor who orders is sent to the login, and the form is restored afterwards (domain.md#order-form)', async () => {
  user.value = null;
  const { button, field, type, submitted, page } = await ticket();
  await type(field(0), '0.37');
  await userEvent.click(button('Buy 0.37 lots'));
  expect(screen.getByLabelText('address').textContent).toBe('/login?from=%2Ftrade');
  expect(submitted()).toEqual([]);
  page.unmount();
  user.value = someone;
  expect((await ticket()).button('Buy 0.37 lots')).toBeDefined();
  expect((await ticket()).button('Buy 0.01 lots')).toBeDefined();
});

test('a visitor opens the demo account and sends the order in one tap', async () => {
  user.value = null;
  const { button, submitted, count, answer } = await ticket();
  const demo = button('Open demo account and buy 0.01 lots');
  expect(demo.className).toMatch(/primary/);
  await userEvent.click(demo);
  await settle();
  expect(count('signInDemo')).toBe(1);
  expect(submitted()).toHaveLength(1);
  await answer(success({ data: order(), text: '' }));
});

test('the demo account gets the order of the tap, whatever became of the form until it was open', async () => {
  user.value = null;
  const { button, field, type, scripted, submitted, answer, page } = await ticket();
  let opened = () => {};
  scripted.signInDemo = () =>
    new Promise((resolve) => {
      opened = () => {
        user.value = someone;
        resolve(success(someone));
      };
    });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stop-loss' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await type(field(1), '5');
  await userEvent.click(button('Open demo account and buy 0.01 lots'));
  await type(field(0), '0.1');
  page.unmount();
  await act(async () => opened());
  await settle();
  expect(submitted()).toMatchObject([[{ lots: '0.01', stopLoss: '1.095' }, expect.anything()]]);
  await answer(success({ data: order(), text: '' }));
});

test('a broken rule is shown at its field on submitting, and nothing is sent', async () => {
  const { button, frame, submitted } = await ticket();
  const problem = { field: 'lots', message: { key: 'lotsAboveMaximum', params: { max: '1000' } } };
  await frame({ ...preview, problem } as TicketPreview);
  await userEvent.click(button('Buy 0.01 lots'));
  expect(submitted()).toEqual([]);
  const lots = screen.getByRole('textbox', { description: 'Maximum lots: 1,000' });
  expect(lots.getAttribute('aria-invalid')).toBe('true');
});

test('a problem of former entries, which comes after they were corrected, keeps no order back', async () => {
  const { button, field, type, frame, lastTicket, submitted, answer } = await ticket();
  await type(field(0), '0');
  const { revision } = lastTicket();
  await type(field(0), '0.02');
  const problem = { field: 'lots', message: { key: 'lotsRequired' } } as const;
  await frame({ ...preview, problem, revision });
  await userEvent.click(button('Buy 0.02 lots'));
  await arm();
  await userEvent.click(button('Confirm'));
  expect(submitted()).toHaveLength(1);
  await answer(success({ data: order(), text: '' }));
});

test('an empty ticked stop is an error; one in USD becomes a price at the latest quote', async () => {
  const { button, field, type, frame, page, submitted, lastTicket } = await ticket();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stop-loss' }));
  await userEvent.click(button('Buy 0.01 lots'));
  expect(submitted()).toEqual([]);
  expect(page.container.textContent).toContain('Please enter the price');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await type(field(1), '5');
  expect(lastTicket().stopLoss).toBe('1.095');
  await frame({ ...preview, price: '1.10100' });
  await eventually(() => expect(lastTicket().stopLoss).toBe('1.096'));
});

test('nothing is ordered while a ticked stop can\u2019t be computed, or is zero', async () => {
  const { button, field, type, frame, page, submitted, lastTicket } = await ticket();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stop-loss' }));
  await type(field(1), '0');
  await userEvent.click(button('Buy 0.01 lots'));
  expect(page.container.textContent).toContain('The price must be above zero');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await type(field(1), '5');
  await act(async () => {
    ticketPreview.value = undefined;
  });
  await userEvent.click(button('Buy 0.01 lots'));
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  await eventually(() => expect(page.container.textContent).toContain('There is no price yet'));
  await frame(preview);
  await eventually(() => expect(lastTicket().stopLoss).toBe('1.095'));
  expect(page.container.textContent).not.toContain('There is no price yet');
  await userEvent.click(button('Buy 0.01 lots'));
  expect(button('Confirm')).toBeDefined();
  expect(submitted()).toEqual([]);
});

test('numbers that were typed stay the same in another language, which reads their signs otherwise', async () => {
  const metal = { ...EURUSD, precision: 3 };
  const { behind, field, type, lastTicket } = await ticket({ instrument: metal });
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }));
  await type(field(0), '30.125');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Take-profit' }));
  await type(field(2), '32.500');
  await behind(() => showLanguage('de'));
  expect([0, 1, 2].map((index) => field(index)?.value)).toEqual(['30,125', '0,01', '32,5']);
  await type(field(1), '0,02');
  const same = { targetPrice: '30.125', takeProfit: '32.5', lots: '0.02' };
  expect(lastTicket()).toMatchObject(same);
  await behind(() => showLanguage('en'));
  expect(lastTicket()).toMatchObject(same);
  expect(field(2)?.value).toBe('32.5');
});

test('numbers that were typed stay the same in another language, which is chosen on the way to the login', async () => {
  user.value = null;
  const { button, field, type, page } = await ticket();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Take-profit' }));
  await type(field(1), '1.125');
  await userEvent.click(button(/^Buy 0.01/));
  page.unmount();
  await showLanguage('de');
  user.value = someone;
  const restored = await ticket();
  expect(restored.field(1)?.value).toBe('1,125');
  expect(restored.lastTicket().takeProfit).toBe('1.125');
});

test('an amount that was typed gives way to its lots where the chart proposes another price', async () => {
  const { field, type, lastTicket } = await ticket();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit of the size' }), 'USD');
  await type(field(0), '5000');
  await act(async () => {
    proposal.value = { code: 'EURUSD', side: 'buy', target: '0.50000' };
  });
  expect(lastTicket()).toMatchObject({ targetPrice: '0.5', lots: '0.04' });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Size in USD' }).value).toBe(
    '2000.00',
  );
});

test('a closed market and a stale price disable the order and say why', async () => {
  const closed = { close: 1.1, open: 1, change: 0, time: undefined, marketOpen: false };
  const { button, page, quotes } = await ticket({
    quote: closed,
    nextOpen: toUnixMs(new Date(2026, 0, 5).getTime()),
  });
  expect(button('Buy 0.01 lots').disabled).toBe(true);
  expect(page.container.textContent).toContain('The market is closed, it opens Jan 5, 2026');
  await act(async () => quotes(quoteNumbers(1, 1.1, { flags: 3 })));
  expect(button('Buy 0.01 lots').disabled).toBe(true);
  expect(page.container.textContent).toContain('Prices are not up to date');
  await act(async () => quotes(quoteNumbers(1, 1.1, { flags: 1 })));
  expect(button('Buy 0.01 lots').disabled).toBe(false);
  await act(async () => quotes(quoteNumbers(1, Number.NaN, { flags: 1 })));
  expect(button('Buy 0.01 lots').disabled).toBe(true);
  expect(page.container.textContent).toContain('There is no price yet');
});

test('an instrument that has left the list can\u2019t be ordered, and the form says so', async () => {
  const { button, page } = await ticket({ delisted: true });
  expect(button('Buy 0.01 lots').disabled).toBe(true);
  expect(page.container.textContent).toContain('EUR/USD is no longer traded here');
});

test('a market that is closed for another reason than its hours says that reason', async () => {
  const closedReason = 'No prices from Kraken since 10:31';
  const closed = { close: 1.1, open: 1, change: 0, time: undefined, marketOpen: false };
  const { button, page } = await ticket({ quote: closed, closedReason });
  expect(button('Buy 0.01 lots').disabled).toBe(true);
  expect(page.container.textContent).toContain(closedReason);
});

test('an instrument without multipliers shows why it cannot be ordered (domain.md#leverage)', async () => {
  const { page } = await ticket({ instrument: { ...EURUSD, leverages: [] } });
  expect(page.container.textContent).toContain(
    'No lever configured, unable to place an order temporarily',
  );
});

test('the largest order can be filled in', async () => {
  const { button, field } = await ticket();
  await userEvent.click(button(/^Max/));
  expect(field(0)?.value).toBe('45.4');
});

test('the largest order is not offered while nothing says how large it is', async () => {
  const { button, frame } = await ticket();
  await frame({ ...preview, maxLots: undefined });
  expect(button(/^Max/).disabled).toBe(true);
  await frame(preview);
  expect(button(/^Max/).disabled).toBe(false);
});

test('the size is chosen on a slider between the smallest and the largest order', async () => {
  const { field, frame, lastTicket } = await ticket();
  const slider = screen.getByRole<HTMLInputElement>('slider', {
    name: 'Share of the maximum size',
  });
  const { min, max, value } = slider;
  expect({ min, max, value }).toEqual({ min: '1', max: '4540', value: '1' });
  fireEvent.change(slider, { target: { value: '1135' } });
  expect(field(0)?.value).toBe('11.35');
  expect(lastTicket().lots).toBe('11.35');
  expect(slider.ariaValueText).toBe('25% of the maximum size');
  await frame({ ...preview, maxLots: '22.7' });
  expect(slider.max).toBe('2270');
  expect(slider.ariaValueText).toBe('50% of the maximum size');
  await frame({ ...preview, maxLots: undefined });
  expect(slider.disabled).toBe(true);
});

test('the size may be typed in USD or in units, and is ordered in the lots that it is enough for', async () => {
  const { button, field, type, frame, lastTicket } = await ticket();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit of the size' }), 'USD');
  expect(screen.getByRole('textbox', { name: 'Size in USD' })).toBe(field(0));
  // 0.01 lots are 1,000 EUR.
  expect(field(0)?.value).toBe('1100.00');
  await type(field(0), '5000');
  expect(lastTicket().lots).toBe('0.04');
  expect(button('Buy 0.04 lots')).toBeTruthy();
  // The lots stay where the price moves; a step is one of lots.
  await frame({ ...preview, price: '1.20000' });
  expect(field(0)?.value).toBe('5000');
  expect(lastTicket().lots).toBe('0.04');
  await userEvent.click(button(/^More/));
  expect(field(0)?.value).toBe('6000.00');
  await type(field(0), '10');
  expect(lastTicket().lots).toBe('0');
  await type(field(0), 'x');
  await userEvent.click(button(/^Buy/));
  expect(field(0)?.getAttribute('aria-invalid')).toBe('true');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit of the size' }), 'EUR');
  await type(field(0), '2500');
  expect(lastTicket().lots).toBe('0.02');
  expect(sizeUnit.value).toBe('units');
});

test('what the stops start from is the same until its numbers change, so that they need not render', async () => {
  scriptWorkerApi().scripted.setTicket = async () => undefined;
  const { result } = renderHook(() => useTicket(EURUSD, 'buy'), { wrapper: MemoryRouter });
  await act(async () => {
    result.current.set({ stopLoss: { ...result.current.form.stopLoss, on: true } });
    ticketPreview.value = preview;
  });
  const { position, exitReference } = result.current;
  expect(position).toBeDefined();
  expect(exitReference).toBeDefined();
  await act(async () => result.current.set({ slippage: { on: true, points: '5' } }));
  expect(result.current.form.slippage.points).toBe('5');
  expect(result.current.position).toBe(position);
  expect(result.current.exitReference).toBe(exitReference);
});

test('where prices are slow, the form tells the slippage that it allows, and the order carries it', async () => {
  const { button, submitted, answer } = await ticket();
  await act(async () => apply({ connection: { state: 'slow', marketOffset: undefined } }));
  screen.getByText('Maximum slippage 0.1%');
  await userEvent.click(button('Buy 0.01 lots'));
  await arm();
  await userEvent.click(button('Confirm'));
  const [[input] = []] = submitted();
  expect(input).toMatchObject({ targetPrice: '1.10000', deviation: '0.0011' });
  await answer(failed({ kind: 'cancelled' }));
  await act(async () => apply({ connection: { state: 'live', marketOffset: undefined } }));
});

test.each(['connecting', 'stale', 'offline'] as const)(
  'while the connection is %s nothing can be confirmed; afterwards the confirmation must be read again',
  async (state) => {
    const worker = await ticket();
    const { button, submitted } = worker;
    await userEvent.click(button('Buy 0.01 lots'));
    await arm();
    await act(async () => apply({ connection: { state, marketOffset: undefined } }));
    expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
    expect(button('Buy 0.01 lots').disabled).toBe(true);
    await act(async () => apply({ connection: { state: 'live', marketOffset: undefined } }));
    expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
    expect(button('Buy 0.01 lots').disabled).toBe(false);
    expect(submitted()).toEqual([]);
  },
);

/** At an order of 0.42 lots. */
async function sessionEnded() {
  const { button, field, type, answer, page } = await ticket();
  await type(field(0), '0.42');
  await userEvent.click(button('Buy 0.42 lots'));
  await arm();
  await userEvent.click(button('Confirm'));
  await act(async () => {
    user.value = null;
  });
  await answer(failed({ kind: 'signed-out' }));
  page.unmount();
}

test('a session that ends at the order keeps the form, for its user only', async () => {
  await sessionEnded();
  user.value = { ...someone, id: 2 };
  const other = await ticket();
  expect(other.button('Buy 0.01 lots')).toBeDefined();
  other.page.unmount();
});

test('a session that ends at the order restores the form after the login', async () => {
  await sessionEnded();
  // On the way to the login the form may be mounted for the visitor once more.
  (await ticket()).page.unmount();
  user.value = someone;
  expect((await ticket()).button('Buy 0.42 lots')).toBeDefined();
});

test('a confirmation writes prices with the decimals of the instrument', async () => {
  const { button, page } = await ticket();
  await userEvent.click(button('Buy 0.01 lots'));
  expect(page.container.textContent).toContain('now 1.10000');
});

test('the units and their value are shown, and named by what the code buys', async () => {
  const { page, frame } = await ticket();
  expect(page.container.textContent).toContain('1,000 EUR ≈ 1,100.00 USD');
  await frame({ ...preview, units: undefined, value: undefined });
  expect(page.container.textContent).toContain('Order value--');
});

test('cost and liquidation price stand beside the button, which is described by its price', async () => {
  const { button, frame } = await ticket();
  const buy = button('Buy 0.01 lots');
  const description = () =>
    document.getElementById(buy.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(description()).toBe('1.10000');
  expect(buy.closest('div')?.parentElement?.textContent).toMatch(
    /^Margin22\.00 USDHandling fee0\.02 USDLiq\. price--/,
  );
  await frame({ ...preview, price: '1.10001' });
  expect(description()).toBe('1.10001');
});

test.each([
  ['buy', '1.0890', 'Buy limit · 1% below the market'],
  ['buy', '1.1110', 'Buy stop · 1% above the market'],
  ['sell', '1.1110', 'Sell limit · 1% above the market'],
  ['sell', '1.0890', 'Sell stop · 1% below the market'],
])('a pending order to %s at %s is named: %s', async (side, target, name) => {
  const { page, field, type, button } = await ticket();
  await userEvent.click(screen.getByRole('radio', { name: side === 'buy' ? 'Buy' : 'Sell' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }));
  await type(field(0), target);
  expect(page.container.textContent).toContain(name);
  await userEvent.click(button(/0.01 lots/));
  expect(page.container.textContent).toContain(name.split(' · ')[0]);
});

test('a pending order is named by the price that it is judged by, which may be bid or ask', async () => {
  const { page, field, type, frame, button } = await ticket();
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }));
  await type(field(0), '1.1110');
  expect(page.container.textContent).toContain('Buy stop');
  await frame({ ...preview, reference: '1.1220' });
  expect(page.container.textContent).toContain('Buy limit · 0.98% below the market');
  await userEvent.click(button(/0.01 lots/));
  expect(screen.getByRole('region', { name: 'Confirm the order' }).textContent).toContain(
    'Buy limit',
  );
});

test('the price of a pending order has no proposal where nothing was traded yet', async () => {
  const { quote } = listRow(1, { instrument: EURUSD });
  const { field } = await ticket({ quote: { ...quote, close: Number.NaN } });
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }));
  expect(field(0)?.placeholder).toBe('');
});

test('the price that a field proposes is read as it is shown, in each language', async () => {
  const yen = { ...EURUSD, precision: 3 };
  const { quote } = listRow(1, { instrument: yen });
  const { field, type, lastTicket } = await ticket({
    instrument: yen,
    quote: { ...quote, close: 151.28 },
  });
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }));
  await act(() => showLanguage('de'));
  const proposed = field(0)?.placeholder ?? '';
  expect(proposed).toBe('151,280');
  await type(field(0), proposed);
  expect(lastTicket().targetPrice).toBe('151.28');
});

test('a step of a stop moves it by a thousandth of the price', async () => {
  const { button, field } = await ticket();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stop-loss' }));
  await userEvent.click(button('Less: Price'));
  expect(field(1)?.value).toBe('1.09900');
  await userEvent.click(button('Less: Price'));
  expect(field(1)?.value).toBe('1.09800');
});

test('the risk of the stop-loss is shown, with the reward where there is a take-profit', async () => {
  const { page, frame } = await ticket();
  expect(page.container.textContent).not.toContain('Risk');
  const shows = (text: string) =>
    eventually(() => expect(page.container.textContent).toContain(text));
  await frame({ ...preview, risk: '50', riskPercent: '0.05', rewardToRisk: '2.5' });
  await shows('Risk 50.00 USD · 0.05% of equity · reward to risk 2.50');
  await frame({ ...preview, risk: '2', riskPercent: '0' });
  await shows('<0.01%\u2069 of equity');
  await frame({ ...preview, risk: '50' });
  await shows('Risk 50.00 USD');
  expect(page.container.textContent).not.toContain('of equity');
});

test('the lots that risk 1 % are filled in, and a stop in USD stays at its price', async () => {
  const { button, field, type, frame, lastTicket } = await ticket();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Stop-loss' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop-loss in' }), 'profit');
  await type(field(1), '5');
  expect(lastTicket()).toMatchObject({ lots: '0.01', stopLoss: '1.095' });
  expect(screen.queryByRole('button', { name: /^Risk/ })).toBeNull();
  await frame({ ...preview, lotsAtRisk: '1.99' });
  await userEvent.click(button('Risk 1% of equity'));
  expect(lastTicket()).toMatchObject({ lots: '1.99', stopLoss: '1.095' });
  expect(field(1)?.value).toBe('1.09500');
});
