import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import type { Fund } from '#domain/api/mining';
import type { PayoutMethod, WithdrawCurrency } from '#domain/api/wallet';
import { decimal, ZERO } from '#domain/core/decimal';
import { failed, success } from '#domain/core/result';
import { toPercent, toUsd, type UsdRate } from '#domain/core/units';
import { EMPTY_PAYEE } from '#domain/wallet/wallet';
import { SubscribeForm } from '../../../src/features/mining/SubscribeForm';
import { DepositForm } from '../../../src/features/wallet/DepositForm';
import { MethodForm } from '../../../src/features/wallet/MethodForm';
import { WithdrawForm } from '../../../src/features/wallet/WithdrawForm';
import { showLanguage } from '../../../src/i18n/i18n';
import { user } from '../../../src/worker/trading';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

const ann = { id: 1, demo: false, email: 'ann@example.com' } as User;
const ben = { ...ann, id: 2 };

const usdPrice = decimal(1n, 0) as UsdRate;
const network = { id: 1, currency: 'USDT', protocol: 'TRC20', address: 'T-one', usdPrice };
const networks = [network, { ...network, id: 2, protocol: 'ERC20', address: '0xtwo' }];
const banks = ['Euro', 'Pound'].map((name, index) => ({ id: index + 1, name, usdPrice }));
const currencies: WithdrawCurrency[] = networks.map(({ id, currency, protocol }) => ({
  id,
  code: currency,
  protocol,
  feeType: 'fixed',
  fee: ZERO,
  usdPrice,
}));
const methods = [1, 2].map(
  (id): PayoutMethod => ({
    ...EMPTY_PAYEE,
    id,
    kind: 'coin',
    address: `address ${id}`,
    currency: { id: 2, code: 'USDT', protocol: 'ERC20' },
    usableAt: undefined,
  }),
);
const fund: Fund = {
  id: 6,
  title: 'Monthly Steady',
  image: '',
  currency: 'USDT',
  lockDays: 30,
  dividendPercentage: toPercent('0.018'),
  minAmount: toUsd('50'),
  maxAmount: toUsd('20000'),
  desc: '',
  liquidatedDamages: toPercent('1'),
};

beforeEach(async () => {
  const { scripted, answers } = scriptWorkerApi();
  const account = { ...EMPTY_PAYEE, bankAddress: 'Street', payeeName: 'Broker' };
  answers['wallet.coinNetworks'] = async () => success(networks);
  answers['wallet.bankCurrencies'] = async () => success(banks);
  answers['wallet.bankAccounts'] = async () =>
    success([1, 2].map((id) => ({ ...account, id, bankName: `Bank ${id}` })));
  answers['wallet.withdrawCurrencies'] = async () => success(currencies);
  answers['wallet.payoutMethods'] = async () => success(methods);
  scripted.cancelUpload = async () => undefined;
  scripted.accountSettings = async () => failed({ kind: 'signed-out' });
  user.value = ann;
  await showLanguage('en');
});

const show = (form: ReactNode) => renderSettled(<MemoryRouter>{form}</MemoryRouter>);

/** The fields as the user sees them. */
const fields = () =>
  [...document.querySelectorAll('input:not([type="file"]), select, button[name="method"]')].map(
    (field) => {
      if (field instanceof HTMLInputElement) return field.value;
      if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.textContent;
      return field.textContent;
    },
  );

async function fill(entries: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(entries)) {
    const field = await screen.findByLabelText(label, { selector: 'input, select, button' });
    if (field instanceof HTMLInputElement) {
      await userEvent.type(field, value);
    } else if (field instanceof HTMLSelectElement) {
      const option = await within(field).findByRole<HTMLOptionElement>('option', { name: value });
      fireEvent.change(field, { target: { value: option.value } });
    } else {
      await userEvent.click(field);
      await userEvent.click(await screen.findByRole('button', { name: value }));
    }
    await settle();
  }
}

const forms: [string, ReactNode, Record<string, string>][] = [
  [
    'withdrawal',
    <WithdrawForm key="" kind="coin" shown />,
    { Currency: 'USDT · ERC20', Address: 'address 2', Amount: '12.5', 'Remark (optional)': 'rent' },
  ],
  [
    'coin deposit',
    <DepositForm key="" kind="coin" shown />,
    { Network: 'USDT · ERC20', 'Number of coins sent': '250' },
  ],
  [
    'bank deposit',
    <DepositForm key="" kind="bank" shown />,
    { Currency: 'Pound', 'Bank account': 'Bank 2', 'Amount wired': '99.5' },
  ],
  [
    'coin address',
    <MethodForm key="" kind="coin" currencies={currencies} preselected={1} />,
    { Currency: 'USDT · ERC20', Address: '0xabc', 'Label (optional)': 'cold wallet' },
  ],
  [
    'bank account',
    <MethodForm key="" kind="bank" currencies={currencies} preselected={undefined} />,
    { 'Beneficiary currency': 'USDT · ERC20', Bank: 'First', 'SWIFT / BIC': 'ABCDEF12' },
  ],
  ['subscription', <SubscribeForm key="" fund={fund} />, { 'Lock amount': '120' }],
];

test.each(forms)(
  'a %s that the end of the session interrupts is restored after the login, for its user only',
  async (_name, form, entries) => {
    const before = await show(form);
    await fill(entries);
    const filled = fields();
    expect(filled).toEqual(expect.arrayContaining(Object.values(entries)));

    const endSession = async (page: typeof before) => {
      await act(async () => {
        user.value = null;
      });
      page.unmount();
    };
    await endSession(before);
    user.value = ann;
    const after = await show(form);
    await waitFor(() => expect(fields()).toEqual(filled));

    await endSession(after);
    user.value = ben;
    const other = await show(form);
    for (const value of Object.values(entries)) expect(fields()).not.toContain(value);
    other.unmount();
    // Deleted, because another user has logged in meanwhile.
    user.value = ann;
    await show(form);
    for (const value of Object.values(entries)) expect(fields()).not.toContain(value);
  },
);

test('a subscription that a visitor began is restored after the login, once', async () => {
  user.value = null;
  const form = <SubscribeForm fund={fund} />;
  const visit = await show(form);
  await fill({ 'Lock amount': '120' });
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  visit.unmount();
  user.value = ben;
  const after = await show(form);
  expect(fields()).toEqual(['120']);
  after.unmount();
  await show(form);
  expect(fields()).toEqual(['']);
});

test('a subscription that a visitor left and came back to is not restored again, once it was there for a user', async () => {
  user.value = null;
  const form = <SubscribeForm fund={fund} />;
  const visit = await show(form);
  await fill({ 'Lock amount': '120' });
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  await act(async () => {
    user.value = ben;
  });
  visit.unmount();
  await show(form);
  expect(fields()).toEqual(['']);
});

test.each(
  forms.flatMap(([name, form, entries]): typeof forms => {
    const [typed] = Object.entries(entries).filter(([, value]) => /^[\d.]+$/.test(value));
    return typed ? [[name, form, { ...entries, [typed[0]]: '60.500' }]] : [];
  }),
)(
  'the number of a %s is the same after a login in another language',
  async (_name, form, entries) => {
    const before = await show(form);
    await fill(entries);
    expect(fields()).toContain('60.500');
    await act(async () => {
      user.value = null;
    });
    before.unmount();
    user.value = ann;
    await showLanguage('de');
    await show(form);
    await waitFor(() => expect(fields()).toContain('60,5'));
  },
);
