import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { HashRouter } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { User } from '#domain/account/user';
import type { WithdrawCurrency } from '#domain/api/wallet';
import { ZERO } from '#domain/core/decimal';
import { success } from '#domain/core/result';
import type { UsdRate } from '#domain/core/units';
import { PasswordScreen } from '../../../src/features/account/PasswordScreen';
import { LanguageScreen } from '../../../src/features/language/LanguageScreen';
import { MethodForm } from '../../../src/features/wallet/MethodForm';
import { language, showLanguage } from '../../../src/i18n/i18n';
import { user } from '../../../src/worker/trading';
import { eventually } from '../../helpers/eventually';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

const CURRENCY: WithdrawCurrency = {
  id: 1,
  code: 'USDT',
  protocol: 'TRC20',
  feeType: 'fixed',
  fee: ZERO,
  usdPrice: ZERO as UsdRate,
};

const click = (name: string) => () => act(async () => screen.getByRole('button', { name }).click());

interface Sending {
  screen: ReactElement;
  /** What is typed, by its label. */
  typed?: Record<string, string>;
  send: () => Promise<void>;
  /** What its answer leads to, where that takes longer. */
  done?: () => Promise<void>;
}

/** Screens that an answer leaves for the one before. */
const SCREENS: Record<string, Sending> = {
  language: {
    screen: <LanguageScreen />,
    send: () => act(async () => screen.getByRole('button', { name: 'ไทย' }).click()),
    done: () => eventually(() => expect(language.value).toBe('th')).then(settle),
  },
  'payout method': {
    screen: <MethodForm kind="coin" currencies={[CURRENCY]} preselected={1} />,
    typed: { Address: 'TQmBPBVeyqDBS85TmUe4ThwTUq1vEZUJf6' },
    send: click('Save'),
  },
  password: {
    screen: <PasswordScreen />,
    typed: {
      'New password': 'correct 1 Horse',
      'Repeat password': 'correct 1 Horse',
      'Verification code': '123456',
    },
    send: click('Change password'),
  },
};

afterEach(() => {
  location.hash = '';
});

it.each(
  Object.entries(SCREENS).flatMap(([name, sending]) => [
    [name, 'leads back', '/screen', '#/', sending] as const,
    // The user has gone on while nothing was answered.
    [name, 'leaves the user where they have gone meanwhile', '/news', '#/news', sending] as const,
  ]),
)('the answer that the screen of a %s waits for %s', async (_, __, gone, shown, sending) => {
  const { scripted, answers } = scriptWorkerApi();
  let answer = () => {};
  const answering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const answered = () => answering.then(() => success({ data: 1, text: '' }));
  scripted.accountSettings = async () =>
    success({ drawVerify: false, features: [] as readonly string[] } as AccountSettings);
  scripted.setLanguage = async () => undefined;
  answers['wallet.addPayoutMethod'] = answered;
  answers['wallet.payoutMethods'] = async () => success([]);
  answers['account.amendPassword'] = answered as never;
  user.value = { id: 1, demo: false, email: 'a@b.example', mobile: '' } as User;
  await showLanguage('en');
  history.replaceState(null, '', '#/screen');
  await renderSettled(<HashRouter>{sending.screen}</HashRouter>);
  for (const [label, text] of Object.entries(sending.typed ?? {})) {
    await userEvent.type(screen.getByLabelText(label), text);
  }
  const sent = sending.send();
  history.replaceState(history.state, '', `#${gone}`);
  await sent;
  answer();
  await settle();
  await sending.done?.();
  expect(location.hash).toBe(shown);
});
