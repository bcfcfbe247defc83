import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, success } from '#domain/core/result';
import { LoginScreen } from '../../../../../src/features/account/LoginScreen';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { queries } from '../../../../../src/requests/queries';
import { toasts } from '../../../../../src/ui/toastStore';
import { user } from '../../../../../src/worker/trading';
import { renderSettled } from '../../../rendering';
import { scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';

/** The browser's ceremonies: one at a time, as the library sees to. */
const browser = vi.hoisted(() => ({
  offers: true,
  begun: [] as { useBrowserAutofill?: boolean }[],
  choose: (_: unknown) => {},
  cancel: () => {},
  cancelled: 0,
}));
vi.mock('@simplewebauthn/browser', () => ({
  browserSupportsWebAuthnAutofill: async () => browser.offers,
  startAuthentication: (options: { useBrowserAutofill?: boolean }) =>
    new Promise((resolve, reject) => {
      browser.cancel();
      browser.begun.push(options);
      browser.choose = resolve;
      browser.cancel = () => reject(new DOMException('', 'AbortError'));
    }),
  startRegistration: async () => ({}),
  WebAuthnAbortService: {
    cancelCeremony() {
      browser.cancelled++;
      browser.cancel();
    },
  },
}));

beforeEach(async () => {
  Object.assign(browser, { offers: true, begun: [], cancel: () => {}, cancelled: 0 });
  vi.stubGlobal('PublicKeyCredential', class {});
  queries.clear();
  toasts.value = [];
  user.value = null;
  await showLanguage('en');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function login(features: string[]) {
  const worker = scriptWorkerApi();
  worker.scripted.accountSettings = async () => success(settingsWith(features));
  let asked = 0;
  worker.answers['security.passkeyLoginOptions'] = async () =>
    success({ data: { challenge: `c${++asked}` }, text: '' }) as never;
  const signedIn: unknown[] = [];
  const results = { signIn: success(undefined) as unknown };
  worker.scripted.signInWithPasskey = async (params) => {
    signedIn.push(params);
    return results.signIn as never;
  };
  const page = await renderSettled(
    <HashRouter>
      <LoginScreen />
    </HashRouter>,
  );
  const account = await waitFor(() => {
    const field = page.container.querySelector<HTMLInputElement>('input[name=account]');
    if (!field) throw new Error('the form is not there');
    return field;
  });
  return { page, signedIn, results, account, asked: () => asked };
}

test('the browser offers passkeys in the field of the address, and the chosen one logs in', async () => {
  const { signedIn, account, results, asked, page } = await login(['passkeys']);
  await waitFor(() => expect(browser.begun).toHaveLength(1));
  expect(account.autocomplete).toBe('username webauthn');
  expect(browser.begun[0]).toMatchObject({
    ...{ optionsJSON: { challenge: 'c1' }, useBrowserAutofill: true },
  });
  // One that the server has no more: another may be chosen.
  results.signIn = failed({ kind: 'cancelled' });
  await act(async () => browser.choose({ id: 'gone' }));
  await waitFor(() => expect(browser.begun).toHaveLength(2));
  results.signIn = success(undefined);
  await act(async () => browser.choose({ id: 'mine' }));
  await waitFor(() =>
    expect(signedIn).toEqual([{ response: { id: 'gone' } }, { response: { id: 'mine' } }]),
  );
  expect(asked()).toBe(2);
  await act(async () => page.unmount());
  expect(toasts.peek()).toEqual([]);
});

test('it ends with the login, and when the button is pressed, without a word', async () => {
  const { page, signedIn } = await login(['passkeys']);
  await waitFor(() => expect(browser.begun).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
  await waitFor(() => expect(browser.begun).toHaveLength(2));
  expect(browser.begun[1]?.useBrowserAutofill).toBeUndefined();
  expect(toasts.peek()).toEqual([]);
  await act(async () => page.unmount());
  // That of the button is the browser's own dialog, and not this one's to end.
  expect(browser.cancelled).toBe(0);

  const second = await login(['passkeys']);
  await waitFor(() => expect(browser.begun).toHaveLength(3));
  await act(async () => second.page.unmount());
  expect(browser.cancelled).toBe(1);
  await act(async () => browser.choose({ id: 'late' }));
  expect([...signedIn, ...second.signedIn]).toEqual([]);
});

test('what is signed is renewed before it expires', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { asked, page } = await login(['passkeys']);
  await waitFor(() => expect(browser.begun).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(241_000));
  await waitFor(() => expect(browser.begun).toHaveLength(2));
  expect(asked()).toBe(2);
  await act(async () => page.unmount());
});

test('nothing is asked where the server does not list them, or the browser can’t offer them', async () => {
  const without = await login([]);
  expect(without.account.autocomplete).toBe('username');
  await act(async () => without.page.unmount());
  browser.offers = false;
  const old = await login(['passkeys']);
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect([without.asked(), old.asked()]).toEqual([0, 0]);
  expect(browser.begun).toEqual([]);
});
