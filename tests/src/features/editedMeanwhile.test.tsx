import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { HashRouter } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { User } from '#domain/account/user';
import type { Fund } from '#domain/api/mining';
import type { WithdrawCurrency } from '#domain/api/wallet';
import { decimal, ZERO } from '#domain/core/decimal';
import { success } from '#domain/core/result';
import { toPercent, toUsd, type UsdRate } from '#domain/core/units';
import { EMPTY_PAYEE } from '#domain/wallet/wallet';
import { SubscribeForm } from '../../../src/features/mining/SubscribeForm';
import { DepositForm } from '../../../src/features/wallet/DepositForm';
import { MethodForm } from '../../../src/features/wallet/MethodForm';
import { WithdrawForm } from '../../../src/features/wallet/WithdrawForm';
import { showLanguage } from '../../../src/i18n/i18n';
import { user } from '../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

vi.mock('../../../src/pictures/preparePicture', () => ({
  preparePicture: async () => ({ bytes: new ArrayBuffer(1), type: 'image/jpeg' }),
}));

const usdPrice = decimal(1n, 0) as UsdRate;
const COIN = { id: 1, currency: 'USDT', protocol: 'TRC20', address: 'T-one', usdPrice };
const CURRENCY: WithdrawCurrency = {
  ...{ id: 1, code: 'USDT', protocol: 'TRC20', feeType: 'fixed', fee: ZERO, usdPrice },
};
const METHOD = { ...EMPTY_PAYEE, id: 1, kind: 'coin', address: 'T-two', currency: CURRENCY };
const FUND: Fund = {
  ...{ id: 6, title: 'Monthly Steady', image: '', currency: 'USDT', lockDays: 30, desc: '' },
  ...{ dividendPercentage: toPercent('0.018'), liquidatedDamages: toPercent('1') },
  ...{ minAmount: toUsd('50'), maxAmount: toUsd('20000') },
};

interface Sending {
  form: ReactElement;
  /** Label and texts of a field: what is sent, and what is typed then. */
  field: [label: string, sent: string, since: string];
  submit: string;
  /** The button of the sheet that asks before. */
  confirm?: RegExp;
}

const FORMS: Record<string, Sending> = {
  withdrawal: {
    form: <WithdrawForm kind="coin" shown />,
    field: ['Amount', '60', '70'],
    submit: 'Withdraw',
    confirm: /60/,
  },
  subscription: {
    form: <SubscribeForm fund={FUND} />,
    field: ['Lock amount', '60', '70'],
    submit: 'Subscribe',
    confirm: /60/,
  },
  deposit: {
    form: <DepositForm kind="coin" shown />,
    field: ['Number of coins sent', '60', '70'],
    submit: 'Submit deposit',
  },
  'payout method': {
    form: <MethodForm kind="coin" currencies={[CURRENCY]} preselected={1} />,
    field: ['Address', 'TQmBPBVeyqDBS85TmUe4ThwTUq1vEZUJf6', 'T'],
    submit: 'Save',
  },
};

afterEach(() => {
  location.hash = '';
});

const click = (name: string | RegExp) =>
  act(async () => screen.getAllByRole('button', { name }).at(-1)?.click());

it.each(Object.entries(FORMS))(
  'the answer to a %s leaves what was typed since',
  async (_, sending) => {
    const { scripted, answers } = scriptWorkerApi();
    let answer = () => {};
    let sent = 0;
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const answered = () => {
      sent++;
      return answering.then(() => success({ data: 1, text: '' }));
    };
    scripted.accountSettings = async () =>
      success({ drawVerify: false, features: [] as readonly string[] } as AccountSettings);
    scripted.cancelUpload = async () => undefined;
    scripted.uploadPicture = async () => success('proof.jpg');
    answers['wallet.coinNetworks'] = async () => success([COIN]);
    answers['wallet.withdrawCurrencies'] = async () => success([CURRENCY]);
    answers['wallet.payoutMethods'] = async () => success([METHOD]);
    answers['wallet.addPayoutMethod'] = answered;
    answers['wallet.submitWithdrawal'] = answered;
    answers['wallet.submitCoinDeposit'] = answered;
    answers['mining.buyFund'] = answered;
    user.value = { id: 1, demo: false, email: 'a@b.example', mobile: '' } as User;
    await showLanguage('en');
    location.hash = '/screen';
    const { container } = await renderSettled(<HashRouter>{sending.form}</HashRouter>);
    await settle();
    const [label, text, since] = sending.field;
    const field = screen.getByLabelText<HTMLInputElement>(label);
    await userEvent.type(field, text);
    const proof = container.querySelector<HTMLInputElement>('[type=file]');
    if (proof) await userEvent.upload(proof, new File(['x'], 'x.jpg', { type: 'image/jpeg' }));
    await settle();
    await click(sending.submit);
    if (sending.confirm) {
      await findSheet();
      await click(sending.confirm);
    }
    expect(sent).toBe(1);
    fireEvent.change(field, { target: { value: since } });
    answer();
    await settle();
    expect(field.value).toBe(since);
    expect(location.hash).toBe('#/screen');
  },
);
