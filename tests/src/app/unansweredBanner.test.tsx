import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#domain/trading/order';
import { OF_AN_ORDER, type UnansweredRequest } from '#domain/worker/requests';
import { showOutcome } from '../../../src/app/requestText';
import { UnansweredBanner } from '../../../src/app/UnansweredBanner';
import { showLanguage } from '../../../src/i18n/i18n';
import { toasts } from '../../../src/ui/toastStore';
import { unanswered } from '../../../src/worker/requests';
import { order, price, usd } from '../features/sampleOrder';
import { renderSettled } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

const buy = { side: 'buy', lots: '0.01', name: 'Bitcoin' } as const;
const lost: UnansweredRequest = {
  key: 'k',
  subject: { kind: 'submit', order: buy },
  state: 'asking',
};

beforeEach(async () => {
  unanswered.value = [];
  toasts.value = [];
  await showLanguage('en');
});

async function banner() {
  const worker = scriptWorkerApi();
  worker.scripted.dismissUnanswered = async () => undefined;
  const page = await renderSettled(<UnansweredBanner />);
  const frame = (frame: Parameters<typeof worker.frame>[0]) => act(async () => worker.frame(frame));
  return { ...worker, frame, text: () => page.container.textContent ?? '' };
}

test('names the unanswered request, and what the app does about it, until the outcome is known', async () => {
  const { frame, text } = await banner();
  expect(text()).toBe('');
  await frame({ unanswered: [lost] });
  expect(text()).toContain('1 order unanswered: Buy 0.01 lots of Bitcoin');
  expect(text()).toContain('Checking the outcome with the server. Nothing is executed late.');
  await frame({ connection: { state: 'offline', marketOffset: undefined } });
  expect(text()).toContain('as soon as you are connected');
  const close = { ...lost, key: 'l', subject: { kind: 'close', order: buy } } as const;
  await frame({ unanswered: [lost, close] });
  expect(text()).toContain(
    '2 orders unanswered: Buy 0.01 lots of Bitcoin · Close order (Buy 0.01 lots of Bitcoin)',
  );
  await frame({ unanswered: [] });
  expect(text()).toBe('');
});

test('names the orders that match where the outcome cannot be known, and stays until it is dismissed', async () => {
  const { frame, text, calls } = await banner();
  await frame({ unanswered: [{ ...lost, state: 'unknown', orders: [] }] });
  expect(text()).toContain('No matching order from that time.');
  await frame({ unanswered: [{ ...lost, state: 'unknown', orders: [order()] }] });
  expect(text()).toContain('Matching orders from that time: Buy');
  expect(text()).toContain('order 7');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(calls.at(-1)).toEqual({ method: 'dismissUnanswered', args: ['k'] });
});

test('says of a matching order that has ended how it has, not that it is held', async () => {
  const { frame, text } = await banner();
  const close = { kind: 'close', order: buy } as const;
  const found = async (change: Partial<Order>) => {
    const orders = [order({ status: 'closed', ...change })];
    await frame({ unanswered: [{ ...lost, subject: close, state: 'unknown', orders }] });
    return text().replace(/.*that time: |Dismiss/g, '');
  };
  expect(await found({ closeReason: 'user', profit: usd(5) })).toBe(
    'Closed by you: Buy 0.1 lots of EUR/USD, +4.80 USD',
  );
  expect(await found({ closeReason: 'cancelled', price: price(0) })).toBe(
    'Cancelled: Buy 0.1 lots of EUR/USD, 0.00 USD',
  );
  expect(await found({})).toBe('1 order closed: Buy 0.1 lots of EUR/USD, -0.20 USD');
});

test.each([...OF_AN_ORDER])(
  'names the orders that match where the outcome of "%s" cannot be known',
  async (kind) => {
    const { frame, text } = await banner();
    const subject = { kind, order: buy };
    await frame({ unanswered: [{ key: 'k', subject, state: 'unknown', orders: [order()] }] });
    expect(text()).toContain('1 order unanswered');
    expect(text()).toContain('Matching orders from that time: Buy');
  },
);

test('has one banner for all whose outcome cannot be known, which dismisses them all', async () => {
  const { frame, text, calls } = await banner();
  const unknown = (key: string) => ({ ...lost, key, state: 'unknown' as const, orders: [] });
  await frame({ unanswered: [unknown('k'), unknown('l')] });
  expect(screen.getAllByRole('button')).toHaveLength(1);
  expect(text()).toContain('2 orders unanswered');
  expect(text().match(/No matching order from that time/g)).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(calls.slice(-2).map(({ args }) => args)).toEqual([['k'], ['l']]);
});

test('names a movement of money, and links to the records that show its outcome', async () => {
  const { frame, text } = await banner();
  await frame({ unanswered: [{ key: 'm', subject: { kind: 'withdrawal' }, state: 'unknown' }] });
  expect(text()).toContain('1 request unanswered: Withdraw');
  expect(text()).toContain('Please check your records.');
});

test('of a reversal it names what is done already, and keeps what was not until that is dismissed', async () => {
  const { frame, text, calls } = await banner();
  const first = { kind: 'reverse', order: buy } as const;
  await frame({ unanswered: [{ ...lost, subject: first }] });
  expect(text()).toContain('1 order unanswered: Reverse (Buy 0.01 lots of Bitcoin)');
  const closed = order({ status: 'closed', profit: usd('-3.5') });
  const second = { kind: 'opposite', order: buy, closed } as const;
  await frame({ unanswered: [{ ...lost, subject: second }] });
  expect(text()).toContain(
    '1 order unanswered: Sell 0.01 lots of Bitcoin (already closed: Buy 0.01 lots of Bitcoin)',
  );
  const failure = { kind: 'refused', code: 2, text: 'Too little free balance' } as const;
  await frame({ unanswered: [{ ...lost, subject: second, state: 'half', failure }] });
  expect(text()).toContain('Closed by you: Buy 0.1 lots of EUR/USD, -3.70 USD');
  expect(text()).toContain('The opposite order was not placed: Too little free balance');
  const unread = { kind: 'opposite', order: buy } as const;
  await frame({ unanswered: [{ ...lost, subject: unread, state: 'half', failure }] });
  expect(text()).toContain('Done: Close order (Buy 0.01 lots of Bitcoin)');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(calls.at(-1)).toEqual({ method: 'dismissUnanswered', args: ['k'] });
});

test('ends with the outcome, whatever that is', () => {
  showOutcome({ type: 'request-settled', subject: lost.subject, text: '', order: order() });
  expect(toasts.value.at(-1)?.text).toMatch(/^Order placed: Buy .*order 7/);
  const failure = { kind: 'refused', code: 2, text: 'Expired' } as const;
  showOutcome({ type: 'request-settled', subject: lost.subject, text: '', failure });
  expect(toasts.value.at(-1)).toMatchObject({
    tone: 'error',
    text: 'Not done: Buy 0.01 lots of Bitcoin. Expired',
  });
  showOutcome({ type: 'request-settled', subject: { kind: 'deposit' }, text: 'Submitted' });
  expect(toasts.value.at(-1)?.text).toBe('Done: Deposit. Submitted');
});
