import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { toUsdRate } from '#domain/core/units';
import { WithdrawForm } from '../../../../src/features/wallet/WithdrawForm';
import { showLanguage } from '../../../../src/i18n/i18n';
import { user } from '../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

beforeEach(async () => {
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: 'a@b.c', mobile: '', demo: false, inviteCode: '' };
});

test('without a saved address of the currency it is said what to do first, in a question and at the field', async () => {
  const { answers, calls } = scriptWorkerApi();
  answers['wallet.withdrawCurrencies'] = async () =>
    success([
      {
        id: 7,
        code: 'USDT',
        protocol: 'TRC20',
        fee: toUsdRate(1),
        feeType: 'fixed',
        usdPrice: toUsdRate(1),
      },
    ] as never);
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
