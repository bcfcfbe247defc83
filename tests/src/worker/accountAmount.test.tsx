import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import type { User } from '#domain/account/user';
import type { CallName } from '#domain/api/subjects';
import { success } from '#domain/core/result';
import { RecordScreen } from '../../../src/features/mining/RecordScreen';
import { OrderBar } from '../../../src/features/trading/ticket/OrderBar';
import TicketPanel from '../../../src/features/trading/ticket/TicketPanel';
import { DepositScreen } from '../../../src/features/wallet/DepositScreen';
import { WithdrawScreen } from '../../../src/features/wallet/WithdrawScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import type { PanelProps } from '../../../src/panels/panel';
import { AccountSummaryList } from '../../../src/positions/AccountSummaryList';
import { invalidate, queries } from '../../../src/requests/queries';
import { user } from '../../../src/worker/trading';
import { EURUSD, usd } from '../features/sampleOrder';
import { renderSettled, settle } from '../rendering';
import { listRow, scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  user.value = { id: 1, demo: false } as User;
  queries.clear();
  await showLanguage('en');
});

const shown = (screen: ReactElement) => renderSettled(<MemoryRouter>{screen}</MemoryRouter>);

interface Reviewed {
  screen: ReactElement;
  call: CallName;
  /** The name of its query. */
  list: string;
  row: object;
  /** Before and after the review. */
  statuses: [object, object];
}

const FUND = { title: 'Steady', currency: 'USDT', image: '', lockDays: 30 };
const REVIEWED: Record<string, Reviewed> = {
  deposit: {
    ...{ screen: <DepositScreen />, call: 'wallet.depositList', list: 'deposits' },
    row: { number: usd(9), currency: 'USDT', remark: '' },
    statuses: [{ status: 'unchecked' }, { status: 'finished' }],
  },
  redemption: {
    ...{ screen: <RecordScreen />, call: 'mining.subscriptionList', list: 'subscriptions' },
    row: { amount: usd(9), dayProfit: usd(0), sumProfit: usd(0), refusal: '', fund: FUND },
    statuses: [{ status: 'refunding' }, { status: 'refunded' }],
  },
  withdrawal: {
    ...{ screen: <WithdrawScreen />, call: 'wallet.withdrawalList', list: 'withdrawals' },
    row: { kind: 'coin', number: usd(9), address: 'T-one', currency: 'USDT' },
    statuses: [{ statusName: 'Under review' }, { statusName: 'Rejected' }],
  },
};

it.each(Object.entries(REVIEWED))(
  'the balances are fetched again once the review of a %s has ended, and only then',
  async (_, { screen: element, call, list, row, statuses: [before, after] }) => {
    const { answers, calls, scripted } = scriptWorkerApi();
    scripted.cancelUpload = async () => undefined;
    let rows = [{ id: 1, ...row, ...before }];
    answers[call] = async () =>
      success({ rows, received: rows.length, total: rows.length, last: undefined });
    await shown(element);
    const refreshed = () =>
      calls.filter(({ method, args }) => method === 'refreshOrders' && !args[0]).length;
    const polled = async () => {
      await act(async () => invalidate(list));
      await settle();
    };
    await polled();
    // A row that is new was counted when it was submitted.
    rows = [{ id: 2, ...row, ...before }, ...rows];
    await polled();
    expect(refreshed()).toBe(0);
    rows = rows.map((each) => (each.id === 1 ? { ...each, ...after } : each));
    await polled();
    expect(refreshed()).toBe(1);
    await polled();
    expect(refreshed()).toBe(1);
  },
);

it.each([
  ['a summary of the account', <AccountSummaryList key="" />],
  [
    'the order form of the workspace',
    <TicketPanel key="" {...({ row: listRow(1) } as PanelProps)} />,
  ],
])('%s opens with fresh balances', async (_, element) => {
  const { scripted, calls } = scriptWorkerApi();
  scripted.setTicket = async () => undefined;
  await shown(element);
  const refreshed = calls.filter(({ method }) => method === 'refreshOrders');
  expect(refreshed).toEqual([{ method: 'refreshOrders', args: [true] }]);
});

it('the order form of a phone opens with fresh balances', async () => {
  const { scripted, count } = scriptWorkerApi();
  scripted.setTicket = async () => undefined;
  await shown(<OrderBar row={listRow(1, { instrument: EURUSD })} />);
  expect(count('refreshOrders')).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Buy' }));
  await settle();
  expect(count('refreshOrders')).toBe(1);
});

it('a visitor has no balances', async () => {
  user.value = null;
  const { count } = scriptWorkerApi();
  await shown(<AccountSummaryList />);
  expect(count('refreshOrders')).toBe(0);
});
