import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { add, compare } from '#domain/core/decimal';
import { failed } from '#domain/core/result';
import { toUsd } from '#domain/core/units';
import type { AccountSummary } from '#domain/worker/trading';
import { BalanceCard } from '../../../src/features/account/UserScreen';
import { BalanceFigures } from '../../../src/features/wallet/BalanceFigures';
import { WithdrawFigures } from '../../../src/features/wallet/WithdrawFigures';
import { showLanguage } from '../../../src/i18n/i18n';
import { AccountSummaryList } from '../../../src/positions/AccountSummaryList';
import { account, user } from '../../../src/worker/trading';
import { findSheet, renderSettled } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

/** 542.12 of 10,000 is margin, and open orders lose 100. */
const SUMMARY_FORMATS: AccountSummary = {
  balance: '10000',
  lockBalance: '542.12',
  marginInUse: '542.12',
  profit: '-100.000000',
  equity: '9900',
  available: '9357.88',
  riskRate: '5.48',
  marginLevel: '1826.16',
  stopOutPrices: {},
};

async function shown(page: React.ReactElement) {
  await showLanguage('en');
  scriptWorkerApi();
  const rendered = await renderSettled(<MemoryRouter>{page}</MemoryRouter>);
  await act(async () => {
    account.value = SUMMARY_FORMATS;
  });
  const figures = [...rendered.container.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling?.textContent?.replace(' USD', ''),
  ]);
  return { ...rendered, figures: Object.fromEntries(figures) as Record<string, string> };
}

test('the figures of the account add up as they are shown', async () => {
  const { figures } = await shown(<AccountSummaryList />);
  expect(figures).toEqual({
    Balance: '10,000.00',
    'Open profit': '-100.00',
    Equity: '9,900.00',
    Margin: '542.12',
    Available: '9,357.88',
    'Margin level': '1,826.16%',
    'Margin used, %': '5.48%',
  });
  const usd = (name: string) => toUsd((figures[name] ?? '').replace(',', ''));
  expect(compare(add(usd('Balance'), usd('Open profit')), usd('Equity'))).toBe(0);
});

test('one tap away is what each figure means, with the word of the specification', async () => {
  await shown(<AccountSummaryList />);
  await userEvent.click(screen.getByRole('button', { name: 'What these figures mean' }));
  const sheet = await findSheet();
  for (const name of [
    'Equity (net value)',
    'Available (free balance)',
    'Margin level (prepayment ratio)',
    'Margin used, % (risk rate)',
  ])
    expect(
      await screen.findByText(
        (_, element) => element?.tagName === 'DT' && element.textContent === name,
      ),
    ).toBeTruthy();
  expect(sheet.textContent).toContain('At 20%, positions are closed');
});

test.each([
  ['the user center', <BalanceCard key="card" />, 1],
  ['the wallet', <BalanceFigures key="wallet" />, 2],
])('in %s amounts that are not on their way have a dash', async (_, page, amounts) => {
  account.value = null;
  await showLanguage('en');
  const { frame } = scriptWorkerApi();
  const { container } = await renderSettled(<MemoryRouter>{page}</MemoryRouter>);
  expect(container.textContent).not.toContain('– USD');
  const connect = (state: 'offline' | 'live') =>
    act(async () => frame({ connection: { state, marketOffset: undefined } }));
  await connect('offline');
  expect(container.textContent?.match(/– USD/g)).toHaveLength(amounts);
  await connect('live');
  expect(container.textContent).not.toContain('– USD');
});

test('amounts that could not be had have a dash', async () => {
  account.value = null;
  user.value = { id: 1, demo: false } as User;
  await showLanguage('en');
  const { answers } = scriptWorkerApi();
  answers['wallet.balance'] = async () => failed({ kind: 'transport', code: '500' });
  const { container } = await renderSettled(
    <MemoryRouter>
      <BalanceFigures />
    </MemoryRouter>,
  );
  await waitFor(() => expect(container.textContent?.match(/– USD/g)).toHaveLength(2));
  await act(async () => {
    account.value = SUMMARY_FORMATS;
  });
  expect(container.textContent).toContain('9,357.88 USD');
  user.value = undefined;
});

test.each([
  ['the user center', <BalanceCard key="card" />],
  ['the wallet', <BalanceFigures key="wallet" />],
  ['a withdrawal', <WithdrawFigures key="withdrawal" currency={undefined} amount={undefined} />],
])('in %s the word Available has the same number', async (_, page) => {
  const { container } = await shown(page);
  expect(container.textContent).toMatch(/Available\s*9,357\.88/);
  expect(container.textContent).not.toContain('9,457.88');
});
