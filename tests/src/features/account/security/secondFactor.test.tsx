import { fireEvent, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import type { AccountSettings } from '#domain/account/settings';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import { ProofSheet } from '../../../../../src/features/account/security/ProofSheet';
import { SecurityScreen } from '../../../../../src/features/account/security/SecurityScreen';
import { TwoFactorScreen } from '../../../../../src/features/account/security/TwoFactorScreen';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { user } from '../../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';

const known = (secondFactor: boolean) =>
  ({ id: 1, uid: '1', demo: false, email: 'a@b.example', mobile: '', secondFactor }) as User;

beforeEach(() => showLanguage('en'));

const sheet = (
  <ProofSheet
    open
    onClose={() => {}}
    title="Proof"
    withCode
    send={async () => success(null)}
    onDone={() => {}}
  />
);

it.each([
  ['the screen of the second factor', <TwoFactorScreen key="" />, 'Turn off', 'Set up'],
  ['the security screen', <SecurityScreen key="" />, 'On', 'Off'],
  ['the proof for a passkey', sheet, 'Authenticator code', ''],
])('%s goes by what another tab or device has changed', async (_, element, on, off) => {
  const { scripted, count } = scriptWorkerApi();
  scripted.accountSettings = async () =>
    success({ features: ['otp'] as readonly string[] } as AccountSettings);
  let turnedOn = false;
  scripted.refreshUser = async () => {
    user.value = known(turnedOn);
    return success(known(turnedOn));
  };
  user.value = known(true);
  for (const times of [1, 2]) {
    const { unmount } = await renderSettled(<MemoryRouter>{element}</MemoryRouter>);
    if (element === sheet) await findSheet();
    await settle();
    expect(count('refreshUser')).toBe(times);
    const shown = [on, off].map((text) => text !== '' && screen.queryAllByText(text).length > 0);
    expect(shown).toEqual([turnedOn, off !== '' && !turnedOn]);
    unmount();
    turnedOn = true;
  }
});

const twoFactor = (
  <MemoryRouter>
    <TwoFactorScreen />
  </MemoryRouter>
);

async function turnOn() {
  fireEvent.click(screen.getByRole('button', { name: 'Set up' }));
  await settle();
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '123456' } });
  fireEvent.submit(document.querySelector('form') as HTMLElement);
  await settle();
}

it('is on, and shows no recovery codes, where the server does not say them', async () => {
  const { scripted, answers } = scriptWorkerApi();
  scripted.refreshUser = async () => success(known(false));
  answers['security.otpEnrol'] = async () => success({ data: { secret: 'KEY', uri: 'otp:' } });
  scripted.confirmSecondFactor = async () => {
    user.value = known(true);
    return success({ data: [], text: '' });
  };
  user.value = known(false);
  await renderSettled(twoFactor);
  await turnOn();
  expect(screen.queryByText('I have saved them')).toBeNull();
  expect(screen.getByText('Turn off')).toBeTruthy();
});

it('recovery codes that come once the screen is left are announced, and shown there to their user until saved', async () => {
  const { scripted, answers } = scriptWorkerApi();
  scripted.refreshUser = async () => success(user.peek() as User);
  answers['security.otpEnrol'] = async () => success({ data: { secret: 'KEY', uri: 'otp:' } });
  let answer = () => {};
  scripted.confirmSecondFactor = () =>
    new Promise((resolve) => {
      answer = () => resolve(success({ data: ['once-1', 'once-2'], text: '' }));
    });
  user.value = known(false);
  const { unmount } = await renderSettled(twoFactor);
  await turnOn();
  unmount();
  toasts.value = [];
  user.value = known(true);
  answer();
  await settle();
  expect(toasts.value).toMatchObject([
    { text: 'Recovery codes', link: { text: 'Show', to: '/mine/two-factor' } },
  ]);
  const shown = async (save = false) => {
    const page = await renderSettled(twoFactor);
    const found = screen.queryByText('once-1') !== null;
    if (save) fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
    page.unmount();
    return found;
  };
  user.value = { ...known(true), id: 2 };
  expect(await shown()).toBe(false);
  user.value = known(true);
  expect(await shown()).toBe(true);
  expect(await shown(true)).toBe(true);
  expect(await shown()).toBe(false);
});
