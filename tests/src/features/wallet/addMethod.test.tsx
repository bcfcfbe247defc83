import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { User } from '#domain/account/user';
import { ZERO } from '#domain/core/decimal';
import { success } from '#domain/core/result';
import type { UsdRate } from '#domain/core/units';
import type { PayoutMethod, WithdrawCurrency } from '#domain/wallet/wallet';
import { MethodForm } from '../../../../src/features/wallet/MethodForm';
import { WithdrawForm } from '../../../../src/features/wallet/WithdrawForm';
import { user } from '../../../../src/gateway/trading';
import { showLanguage } from '../../../../src/i18n/i18n';
import { renderSettled, settle } from '../../rendering';
import { scriptGateway } from '../../scriptedGateway';

const ADDRESS = 'TQmBPBVeyqDBS85TmUe4ThwTUq1vEZUJf6';
const currency: WithdrawCurrency = {
  id: 1,
  code: 'USDT',
  protocol: 'TRC20',
  feeType: 'fixed',
  fee: ZERO,
  usdPrice: ZERO as UsdRate,
};

test('the form of a withdrawal has an added address as soon as it opens', async () => {
  const { scripted, calls } = scriptGateway();
  const saved: PayoutMethod[] = [];
  scripted.refreshOrders = async () => success(undefined);
  scripted.withdrawCurrencies = async () => success([currency]);
  scripted.payoutMethods = async () => success([...saved]);
  scripted.accountSettings = async () => success({ drawVerify: false } as AccountSettings);
  scripted.bindPayoutMethod = async ({ currencyId, code: _, ...payee }) => {
    saved.push({ ...payee, id: 1, currency: { ...currency, id: currencyId }, usableAt: undefined });
    return success({ data: 1, text: '' });
  };
  user.value = { id: 1, demo: false } as User;
  await showLanguage('en');
  const withdrawal = (
    <MemoryRouter>
      <WithdrawForm kind="coin" shown />
    </MemoryRouter>
  );
  await renderSettled(withdrawal);
  await screen.findByRole('button', { name: 'Address Add' });
  cleanup();

  await renderSettled(
    <MemoryRouter>
      <MethodForm kind="coin" currencies={[currency]} preselected={1} />
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByLabelText('Address'), ADDRESS);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const requested = () => calls.filter(({ method }) => method === 'payoutMethods').length;
  await waitFor(() => expect([saved.length, requested()]).toEqual([1, 2]));
  await settle();
  cleanup();

  scripted.payoutMethods = () => new Promise(() => {});
  await renderSettled(withdrawal);
  screen.getByRole('button', { name: 'Address TQmBPBVe…1vEZUJf6' });
});
