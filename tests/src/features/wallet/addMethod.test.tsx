import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { User } from '#domain/account/user';
import type { PayoutMethod, WithdrawCurrency } from '#domain/api/wallet';
import { ZERO } from '#domain/core/decimal';
import { success } from '#domain/core/result';
import type { UsdRate } from '#domain/core/units';
import { EMPTY_PAYEE, type Payee } from '#domain/wallet/wallet';
import { MethodForm } from '../../../../src/features/wallet/MethodForm';
import { WithdrawForm } from '../../../../src/features/wallet/WithdrawForm';
import { showLanguage } from '../../../../src/i18n/i18n';
import { user } from '../../../../src/worker/trading';
import { renderSettled, settle } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';

const ADDRESS = 'TQmBPBVeyqDBS85TmUe4ThwTUq1vEZUJf6';
const currency: WithdrawCurrency = {
  id: 1,
  code: 'USDT',
  protocol: 'TRC20',
  feeType: 'fixed',
  fee: ZERO,
  usdPrice: ZERO as UsdRate,
};

const SETTINGS: AccountSettings = {
  byCaptcha: false,
  drawVerify: false,
  mobile: false,
  chat: undefined,
  judgedAtQuote: false,
  features: [],
};
const PAYEE: Payee = { ...EMPTY_PAYEE, address: ADDRESS };

test('the form of a withdrawal has an added address as soon as it opens', async () => {
  const { scripted, answers, calls } = scriptWorkerApi();
  const saved: PayoutMethod[] = [];
  answers['wallet.withdrawCurrencies'] = async () => success([currency]);
  answers['wallet.payoutMethods'] = async () => success([...saved]);
  scripted.accountSettings = async () => success(SETTINGS);
  const asked: object[] = [];
  answers['wallet.addPayoutMethod'] = async (params) => {
    asked.push(params);
    saved.push({ ...PAYEE, id: 1, kind: 'coin', currency, usableAt: undefined });
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
  const requested = () => calls.filter(({ args }) => args[0] === 'wallet.payoutMethods').length;
  await waitFor(() => expect([saved.length, requested()]).toEqual([1, 2]));
  expect(asked).toEqual([{ type: 1, draw_id: 1, dc_address: ADDRESS, remark: '' }]);
  await settle();
  cleanup();

  answers['wallet.payoutMethods'] = () => new Promise(() => {});
  await renderSettled(withdrawal);
  screen.getByRole('button', { name: 'Address TQmBPBVe…1vEZUJf6' });
});

test('a bank account is saved with the fields of a bank alone', async () => {
  const { scripted, answers } = scriptWorkerApi();
  scripted.accountSettings = async () => success(SETTINGS);
  const asked: object[] = [];
  answers['wallet.addPayoutMethod'] = async (params) => {
    asked.push(params);
    return success({ data: 1, text: '' });
  };
  await showLanguage('en');
  await renderSettled(
    <MemoryRouter>
      <MethodForm kind="bank" currencies={[currency]} preselected={1} />
    </MemoryRouter>,
  );
  const texts = {
    payee_name: 'Ann',
    payee_account: '123',
    bank_name: 'Bank',
    branch_name: 'Branch',
    bank_address: 'Street 1',
    bank_swift: 'SWIFT',
    remark: 'mine',
  };
  const fields = [...document.querySelectorAll('input')];
  for (const [index, text] of Object.values(texts).entries()) {
    await userEvent.type(fields[index] as HTMLInputElement, text);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked).toEqual([{ type: 2, draw_id: 1, ...texts }]));
});

test('an address that was wrong in one network is not marked any more in its own', async () => {
  scriptWorkerApi().scripted.accountSettings = async () => success(SETTINGS);
  await showLanguage('en');
  const other: WithdrawCurrency = { ...currency, id: 2, protocol: 'ERC20' };
  await renderSettled(
    <MemoryRouter>
      <MethodForm kind="coin" currencies={[currency, other]} preselected={1} />
    </MemoryRouter>,
  );
  const address = screen.getByLabelText('Address');
  await userEvent.type(address, '0x52908400098527886E0F7030069857D2E4169EE7');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(address.getAttribute('aria-invalid')).toBe('true');
  await userEvent.selectOptions(screen.getByLabelText('Currency'), screen.getByText(/ERC20/));
  expect(address.getAttribute('aria-invalid')).toBe('false');
});
