import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WithdrawCurrency } from '#domain/api/wallet';
import { success } from '#domain/core/result';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { toUsdRate } from '#domain/core/units';
import { EMPTY_PAYEE } from '#domain/wallet/wallet';
import type { AccountSummary } from '#domain/worker/trading';
import { WithdrawForm } from '../../../../src/features/wallet/WithdrawForm';
import { showLanguage } from '../../../../src/i18n/i18n';
import { steadyTime } from '../../../../src/worker/age';
import { connectionState } from '../../../../src/worker/frameReceiver';
import { account, user } from '../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

const CURRENCY: WithdrawCurrency = {
  ...{ id: 7, code: 'USDT', protocol: 'TRC20', feeType: 'fixed' },
  ...{ fee: toUsdRate(1), usdPrice: toUsdRate(1) },
};

beforeEach(async () => {
  await showLanguage('en');
  account.value = null;
  user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
});
const before = connectionState.peek();
afterEach(() => {
  connectionState.value = before;
});

test('without a saved address of the currency it is said what to do first, in a question and at the field', async () => {
  const { answers, calls } = scriptWorkerApi();
  answers['wallet.withdrawCurrencies'] = async () => success([CURRENCY]);
  answers['wallet.payoutMethods'] = async () => success([]);
  const { container } = await renderSettled(
    <MemoryRouter>
      <WithdrawForm kind="coin" shown />
    </MemoryRouter>,
  );
  await settle();
  // The server is asked for those of the chosen currency.
  const asked = calls.find(({ args }) => args[0] === 'wallet.payoutMethods');
  expect(asked?.args[1]).toEqual({ draw_type: 1, draw_id: 7 });
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect((await findSheet()).textContent).toContain('No payout method');
  expect(container.textContent).toContain('Please set up a collection account first');
});

test('a new payout method can be used once its time has come at the server', async () => {
  const { answers } = scriptWorkerApi();
  const hours = (count: number) => toDurationMs(count * 3_600_000);
  const method = {
    ...{ ...EMPTY_PAYEE, id: 1, kind: 'coin', address: 'T-one', currency: CURRENCY },
    usableAt: timeAfter(steadyTime(), hours(3)),
  };
  answers['wallet.withdrawCurrencies'] = async () => success([CURRENCY]);
  answers['wallet.payoutMethods'] = async () => success([method]) as never;
  connectionState.value = { state: 'live', marketOffset: hours(4) };
  await renderSettled(
    <MemoryRouter>
      <WithdrawForm kind="coin" shown />
    </MemoryRouter>,
  );
  await settle();
  await userEvent.type(screen.getByLabelText('Amount'), '60');
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  expect((await findSheet()).textContent).toContain('60');
});

test('no more is shown as available than can be withdrawn', async () => {
  const { answers } = scriptWorkerApi();
  answers['wallet.withdrawCurrencies'] = async () => success([CURRENCY]);
  answers['wallet.payoutMethods'] = async () => success([]);
  account.value = { available: '9983.5466' } as AccountSummary;
  const { container } = await renderSettled(
    <MemoryRouter>
      <WithdrawForm kind="coin" shown />
    </MemoryRouter>,
  );
  await settle();
  expect(container.textContent).toContain('Max 9,983.54');
  expect(container.textContent).toMatch(/Available\s*9,983\.54 USD/);
});
