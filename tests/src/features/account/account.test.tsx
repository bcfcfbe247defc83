import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity, type ReactNode } from 'react';
import { HashRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as typedMobile from '#domain/account/mobileInput';
import type { Area } from '#domain/api/account';
import { success } from '#domain/core/result';
import { CaptchaField } from '../../../../src/codes/CaptchaField';
import { masked } from '../../../../src/codes/masked';
import { SentCodeField } from '../../../../src/codes/SentCodeField';
import { codeSent, useResendWait } from '../../../../src/codes/sentCodes';
import { useCaptcha } from '../../../../src/codes/useCaptcha';
import { AreaPicker, matches } from '../../../../src/features/account/AreaPicker';
import { accountOf, areaIdOfNumber } from '../../../../src/features/account/address';
import { sandboxOf } from '../../../../src/features/account/ChatScreen';
import { country } from '../../../../src/features/account/country';
import { ForgotScreen } from '../../../../src/features/account/ForgotScreen';
import { inviteLink } from '../../../../src/features/account/InviteScreen';
import { LoginScreen } from '../../../../src/features/account/LoginScreen';
import { RegisterScreen } from '../../../../src/features/account/RegisterScreen';
import { UserRows } from '../../../../src/features/account/UserRows';
import { showLanguage } from '../../../../src/i18n/i18n';
import { captureInstallPrompt, installPrompt } from '../../../../src/installPrompt';
import { queries } from '../../../../src/requests/queries';
import { user } from '../../../../src/worker/trading';
import { findSheet, onPhone, renderSettled } from '../../rendering';
import { scriptWorkerApi, settingsWith } from '../../scriptedWorkerApi';

const hongKong: Area = { id: 1, code: 'HK', globalCode: '852', name: 'Hong Kong' };
const italy: Area = { id: 2, code: 'IT', globalCode: '39', name: 'Italy' };
const base = {
  email: '',
  mobile: '',
  area: hongKong,
  areas: {} as never,
  typedCode: false,
  reader: { data: typedMobile } as never,
  set: () => {},
};
const settings = { ...settingsWith(['old_password']), mobile: true };

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  user.value = null;
});

/** Waits until all requests are answered and rendered. */
async function answered(): Promise<void> {
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}

describe('an address', () => {
  test.each([
    [{ type: 'email' as const, email: ' Ann@Example.COM ' }, 'ann@example.com'],
    [{ type: 'mobile' as const, mobile: '9123 4567' }, '85291234567'],
    [{ type: 'mobile' as const, mobile: '+852 9123-4567' }, '85291234567'],
    [{ type: 'mobile' as const, mobile: '+39 06 1234 5678' }, '390612345678'],
    // Too short for a number of today; an older account may be stored so.
    [{ type: 'mobile' as const, mobile: '(09) 12' }, '852912'],
    [{ type: 'mobile' as const, mobile: '06 1234 5678', area: italy }, '390612345678'],
    [{ type: 'mobile' as const, mobile: '' }, ''],
    [{ type: 'mobile' as const, mobile: '0' }, ''],
  ])('%j is %s', (typed, account) => {
    expect(accountOf({ ...base, ...typed })).toBe(account);
  });

  test('a complete number belongs to the longest calling code that it starts with', () => {
    const us: Area = { id: 3, code: 'US', globalCode: '1', name: 'United States' };
    const jamaica: Area = { id: 4, code: 'JM', globalCode: '1876', name: 'Jamaica' };
    expect(areaIdOfNumber('18765551234', [us, jamaica])).toBe(4);
    expect(areaIdOfNumber('12125551234', [us, jamaica])).toBe(3);
    expect(areaIdOfNumber('999', [us, jamaica])).toBe(0);
  });

  test.each([
    ['hong', true],
    ['KONG', true],
    ['hk', true],
    ['+852', true],
    ['85', true],
    ['52', false],
    ['germany', false],
    ['', true],
  ])('a search for %j finds Hong Kong: %s', (search, found) => {
    expect(matches(hongKong, search)).toBe(found);
  });

  test('is shown with its middle masked', () => {
    expect(masked('ann.chan@example.com')).toBe('an•••@example.com');
    expect(masked('a@b.example')).toBe('a•••@b.example');
    expect(masked('85291234567')).toBe('+852•••4567');
  });
});

describe('links', () => {
  test('an invitation leads to the registration on the current host', () => {
    const page = 'https://m.example.com/app/?utm=1#/mine/invite';
    expect(inviteLink('AB 1&2', page)).toBe(
      'https://m.example.com/app/#/register?invite_code=AB+1%262',
    );
  });

  test('a chat on our own origin is sandboxed without its origin', () => {
    expect(sandboxOf('https://help.example/')).toContain('allow-same-origin');
    expect(sandboxOf(`${location.origin}/chat`)).not.toContain('allow-same-origin');
    expect(sandboxOf('https://help.example/')).not.toContain('allow-top-navigation');
  });
});

describe('the countdown of a sent code (domain.md#sent-codes)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  let waits: Record<string, number> = {};
  function Waits({ to }: { to: string[] }): ReactNode {
    waits = {};
    for (const address of to) {
      // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes
      waits[address] = useResendWait('register', address);
    }
    return null;
  }

  test('counts down for the address that the code was sent to, and for an empty field', async () => {
    await renderSettled(<Waits to={['a@b.example', '', 'else@b.example']} />);
    expect(waits).toEqual({ 'a@b.example': 0, '': 0, 'else@b.example': 0 });
    await act(async () => codeSent('register', 'a@b.example', 60));
    expect(waits).toEqual({ 'a@b.example': 60, '': 60, 'else@b.example': 0 });
    await act(() => vi.advanceTimersByTimeAsync(59_000));
    expect(waits['a@b.example']).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(waits).toEqual({ 'a@b.example': 0, '': 0, 'else@b.example': 0 });
  });

  test('is not extended by a clock that is set back', async () => {
    const hour = 3_600_000;
    await renderSettled(<Waits to={['']} />);
    await act(async () => codeSent('register', 'a@b.example', 60));
    vi.setSystemTime(Date.now() - hour);
    await act(() => vi.advanceTimersByTimeAsync(50_000));
    expect(waits['']).toBe(10);
    // Another tab, or this page opened again, reads what was stored before that.
    const key = 'fulcrum.code-register';
    const newValue = localStorage.getItem(key);
    await act(async () => void dispatchEvent(new StorageEvent('storage', { key, newValue })));
    expect(waits['']).toBeLessThanOrEqual(60);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(waits['']).toBe(0);
  });

  test('continues while the monotonic clock stands still', async () => {
    await renderSettled(<Waits to={['']} />);
    await act(async () => codeSent('register', 'a@b.example', 60));
    vi.setSystemTime(Date.now() + 59_000);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(waits['']).toBe(0);
  });
});

describe('the login', () => {
  const show = () =>
    renderSettled(
      <HashRouter>
        <LoginScreen />
      </HashRouter>,
    );

  test('offers mobile numbers if the setting says so, and only email if the setting is unknown', async () => {
    const { scripted } = scriptWorkerApi();
    scripted.accountSettings = async () => success(settings);
    const first = await show();
    await answered();
    expect(screen.getAllByRole('radio')).toHaveLength(2);
    first.unmount();
    queries.clear();
    scripted.accountSettings = async () => ({
      ok: false,
      failure: { kind: 'transport', code: 'ERR_NETWORK' },
    });
    await show();
    await screen.findByRole('textbox', { name: 'Email address' });
    expect(screen.queryAllByRole('radio')).toEqual([]);
  });

  test('offers the demo account with the weight of the login', async () => {
    scriptWorkerApi().scripted.accountSettings = async () => success(settings);
    await show();
    for (const name of ['Log in', 'Try the demo account']) {
      expect((await screen.findByRole('button', { name })).className).toMatch(/primary.*wide/);
    }
  });

  test('is sent once, however often the button is pressed', async () => {
    const { scripted, count } = scriptWorkerApi();
    scripted.accountSettings = async () => success({ ...settings, mobile: false });
    scripted.signIn = () => new Promise(() => {});
    await show();
    await answered();
    await userEvent.type(screen.getByLabelText('Email address'), 'ann@example.com');
    await userEvent.type(screen.getByLabelText('Password'), 'secret123');
    const submit = screen.getByRole('button', { name: 'Log in' });
    await userEvent.click(submit);
    await userEvent.click(submit);
    expect(count('signIn')).toBe(1);
  });
});

describe('a mobile number with its calling code', () => {
  const france: Area = { id: 148, code: 'FR', globalCode: '33', name: 'France' };
  const britain: Area = { id: 184, code: 'GB', globalCode: '44', name: 'United Kingdom' };
  const input = (name: string) =>
    document.querySelector(`input[name="${name}"]`) as HTMLInputElement;

  async function show(Screen: () => ReactNode) {
    country.value = 'FR';
    const { scripted, answers, calls } = scriptWorkerApi();
    scripted.accountSettings = async () => success(settings);
    answers['account.areaList'] = async () => success([britain, france, hongKong]);
    answers['account.sendSms'] = async () => success({ data: { retryAfter: 60 }, text: '' });
    scripted.signIn = async () => ({
      ok: false,
      failure: { kind: 'refused', code: 2, text: 'wrong' },
    });
    scripted.register = scripted.signIn as never;
    await renderSettled(
      <HashRouter>
        <Screen />
      </HashRouter>,
    );
    await answered();
    await userEvent.click(screen.getByRole('radio', { name: 'Phone' }));
    await screen.findByRole('textbox', { name: 'Phone number' });
    const sent = (method: string) =>
      calls.flatMap(({ method: called, args: [first, second] }) => {
        if (called === method) return [first];
        return called === 'api' && first === method ? [second] : [];
      });
    return { sent };
  }

  test.each([
    ['+33 6 12 34 56 79', '33612345679', 148],
    ['06 12 34 56 80', '33612345680', 148],
    ['+44 7911 123456', '447911123456', 184],
  ])('%s: code and registration are for %s', async (typed, account, area_id) => {
    const { sent } = await show(RegisterScreen);
    await userEvent.type(input('account'), typed);
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
    await waitFor(() =>
      expect(sent('account.sendSms')).toMatchObject([{ to: account, area_id, type: 1 }]),
    );
    await userEvent.type(input('password'), 'a long password');
    await userEvent.type(input('repeated'), 'a long password');
    await userEvent.type(input('inviteCode'), 'ABCD');
    await userEvent.type(input('code'), '123 456{Enter}');
    const mobile = account.slice(2);
    await waitFor(() =>
      expect(sent('register')).toMatchObject([{ account, area_id, mobile, sms_code: '123456' }]),
    );
  });

  test('the login and a forgotten password take it alike', async () => {
    const login = await show(LoginScreen);
    await userEvent.type(input('account'), '+33 6 12 34 56 79');
    await userEvent.type(input('password'), 'secret123{Enter}');
    await waitFor(() => expect(login.sent('signIn')).toMatchObject([{ account: '33612345679' }]));
    document.body.replaceChildren();
    const forgot = await show(ForgotScreen);
    await userEvent.type(input('account'), '٠٦١٢٣٤٥٦٧٨');
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
    await waitFor(() =>
      expect(forgot.sent('account.sendSms')).toMatchObject([{ to: '33612345678', type: 2 }]),
    );
  });

  test('no code is sent to what can’t be a number', async () => {
    const { sent } = await show(RegisterScreen);
    await userEvent.type(input('account'), '+33 6 12');
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
    expect(document.activeElement).toBe(input('account'));
    expect(screen.getByText('This is not a phone number')).toBeTruthy();
    expect(sent('account.sendSms')).toEqual([]);
  });

  test('the area is that of the typed calling code, until another one is chosen', async () => {
    const { sent } = await show(LoginScreen);
    await userEvent.type(input('account'), '+44 7911 123456');
    await userEvent.click(screen.getByRole('button', { name: /United Kingdom.*\+44/ }));
    await userEvent.click(await screen.findByRole('button', { name: /Hong Kong/ }));
    expect(input('account').value).toBe('7911123456');
    await userEvent.clear(input('account'));
    await userEvent.type(input('account'), '9123 4567');
    await userEvent.type(input('password'), 'secret123{Enter}');
    await waitFor(() => expect(sent('signIn')).toMatchObject([{ account: '85291234567' }]));
  });

  test('where the calling codes can’t be loaded, no number is taken for another one', async () => {
    const { scripted, answers, count } = scriptWorkerApi();
    scripted.accountSettings = async () => success(settings);
    answers['account.areaList'] = async () => ({
      ok: false,
      failure: { kind: 'transport', code: 'E' },
    });
    await renderSettled(
      <HashRouter>
        <LoginScreen />
      </HashRouter>,
    );
    await answered();
    await userEvent.click(screen.getByRole('radio', { name: 'Phone' }));
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(input('account')).toBeNull();
    answers['account.areaList'] = async () => success([france]);
    await userEvent.click(retry);
    await screen.findByRole('textbox', { name: 'Phone number' });
    expect(count('signIn')).toBe(0);
  });
});

describe('a captcha that the server asks for', () => {
  const refused = (code: number) => ({
    ok: false as const,
    failure: {
      kind: 'refused' as const,
      code,
      text: 'because',
      ...(code === 427 && { ticket: 't' }),
    },
  });
  const NONE = [undefined, undefined];
  const picture = (id: string) => ({ id, picture: 'data:image/png;base64,AA' });
  const input = (container: Element, name: string) =>
    container.querySelector(`input[name="${name}"]`) as HTMLInputElement;

  test('appears at the login, is sent with the next attempt, and is another one after it', async () => {
    const { scripted, answers } = scriptWorkerApi();
    scripted.accountSettings = async () => success({ ...settings, mobile: false });
    let captchas = 0;
    answers['account.captcha'] = async () => success(picture(`c${++captchas}`));
    const sent: unknown[] = [];
    const codes = [428, 428, 2, 427, 428];
    scripted.signIn = async ({ captcha_id, captcha_text }) => {
      sent.push([captcha_id, captcha_text]);
      return refused(codes[sent.length - 1] ?? 2);
    };
    const { container } = await renderSettled(
      <HashRouter>
        <LoginScreen />
      </HashRouter>,
    );
    await answered();
    expect(captchas).toBe(0);
    await userEvent.type(input(container, 'account'), 'ann@example.com');
    await userEvent.type(input(container, 'password'), 'secret123{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(input(container, 'captcha')));
    // Nothing is sent without the characters.
    await userEvent.keyboard('{Enter}');
    expect(sent).toEqual([NONE]);
    await userEvent.type(input(container, 'captcha'), ' ab2{Enter}');
    await waitFor(() => expect(input(container, 'captcha').value).toBe(''));
    await userEvent.type(input(container, 'captcha'), 'cd3{Enter}');
    // The password was wrong: the next attempt needs another captcha.
    await waitFor(() => expect(captchas).toBe(3));
    expect(sent).toEqual([NONE, ['c1', 'ab2'], ['c2', 'cd3']]);
    await waitFor(() => expect(input(container, 'captcha').value).toBe(''));
    // A second factor needs no captcha of its own, unless the server asks for one again.
    await userEvent.type(input(container, 'captcha'), 'ef4{Enter}');
    await waitFor(() => expect(input(container, 'captcha')).toBeNull());
    await userEvent.type(input(container, 'otp'), '123456{Enter}');
    await waitFor(() => expect(input(container, 'captcha')).not.toBeNull());
    expect(sent.at(-1)).toEqual(NONE);
  });

  test('stays the one that is being read, in another language and after a look at another panel', async () => {
    const { answers } = scriptWorkerApi();
    let captchas = 0;
    answers['account.captcha'] = async () => success(picture(`c${++captchas}`));
    const Captcha = () => {
      const { request, another } = useCaptcha(true);
      const field = { name: 'code', value: '', onChange: () => {}, error: undefined };
      return <CaptchaField {...field} captcha={request} onAnother={another} />;
    };
    const shown = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Captcha />
      </Activity>
    );
    const { rerender } = await renderSettled(shown('visible'));
    await answered();
    expect(captchas).toBe(1);
    const now = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    await act(async () => rerender(shown('hidden')));
    await act(async () => rerender(shown('visible')));
    await answered();
    expect(captchas).toBe(1);
    await act(() => showLanguage('de'));
    await answered();
    expect(captchas).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Anderes Bild' }));
    await answered();
    expect(captchas).toBe(2);
  });

  test('appears below the button that sends a code, and goes once it is sent', async () => {
    const { answers } = scriptWorkerApi();
    answers['account.captcha'] = async () => success(picture('c1'));
    const code = { to: 'ann@example.com', area_id: 0, type: 2 } as const;
    const sent: object[] = [];
    answers['account.sendEmail'] = async (params) => {
      sent.push(params);
      if (!('captcha_id' in params)) return refused(428);
      return success({ data: { retryAfter: 60 }, text: '' });
    };
    const { container, getByRole } = await renderSettled(
      <SentCodeField
        value=""
        onChange={() => {}}
        error={undefined}
        purpose="reset"
        to="ann@example.com"
        request={() => ({ kind: 'email', params: code })}
      />,
    );
    await userEvent.click(getByRole('button', { name: 'Send code' }));
    await waitFor(() => expect(document.activeElement).toBe(input(container, 'captcha')));
    await userEvent.keyboard('{Enter}');
    expect(container.textContent).toContain('Please enter the characters in the picture');
    await userEvent.type(input(container, 'captcha'), 'ab2{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(input(container, 'code')));
    expect(sent).toEqual([code, { ...code, captcha_id: 'c1', captcha_text: 'ab2' }]);
    expect(input(container, 'captcha')).toBeNull();
  });

  test.each([
    ['a captcha is asked for', () => refused(428)],
    ['a code is sent', () => success({ data: { retryAfter: 60 }, text: '' })],
  ])('leaves the focus in a field that is being typed in when %s', async (_, result) => {
    const { answers } = scriptWorkerApi();
    answers['account.captcha'] = async () => success(picture('c1'));
    let answer = () => {};
    answers['account.sendEmail'] = () =>
      new Promise((resolve) => {
        answer = () => resolve(result());
      });
    const code = { to: 'bob@example.com', area_id: 0, type: 2 } as const;
    const { container, getByRole } = await renderSettled(
      <>
        <input name="password" />
        <SentCodeField
          value=""
          onChange={() => {}}
          error={undefined}
          purpose="reset"
          to={code.to}
          request={() => ({ kind: 'email', params: code })}
        />
      </>,
    );
    await userEvent.click(getByRole('button', { name: 'Send code' }));
    await userEvent.type(input(container, 'password'), 'se');
    await act(async () => answer());
    await answered();
    await userEvent.keyboard('cret');
    expect(input(container, 'password').value).toBe('secret');
  });
});

describe('the user center', () => {
  const real = { id: 1, uid: '1', email: 'a@b.example', mobile: '', demo: false, inviteCode: '' };
  const rows = async (demo: boolean, chat: object | undefined) => {
    const { scripted, answers } = scriptWorkerApi();
    scripted.accountSettings = async () => success({ ...settings, chat } as never);
    answers['account.verificationCenter'] = async () =>
      success({ status: 'verified', name: '', cardId: '', front: '', reverse: '', reason: '' });
    user.value = { ...real, demo };
    const { unmount } = await renderSettled(
      <HashRouter>
        <UserRows currentUser={{ ...real, demo }} />
      </HashRouter>,
    );
    await answered();
    const shown = [...screen.getAllByRole('link'), ...screen.queryAllByRole('button')];
    const texts = shown.map((row) => row.textContent);
    unmount();
    return texts;
  };

  test('offers what the browser offers: to install the app, once', async () => {
    captureInstallPrompt();
    const prompt = vi.fn();
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    expect(await rows(true, undefined)).not.toContain('Install the app');
    dispatchEvent(offer);
    expect(offer.defaultPrevented).toBe(true);
    expect(await rows(true, undefined)).toContain('Install the app');
    installPrompt.value?.();
    expect(prompt).toHaveBeenCalledOnce();
    expect(await rows(true, undefined)).not.toContain('Install the app');
  });

  test('offers a reset to demo accounts only', async () => {
    expect(await rows(true, undefined)).toContain('Reset demo account');
    expect(await rows(false, undefined)).not.toContain('Reset demo account');
  });

  test('says before a reset that funds are lost, too', async () => {
    user.value = { ...real, demo: true };
    scriptWorkerApi();
    await renderSettled(
      <HashRouter>
        <UserRows currentUser={{ ...real, demo: true }} />
      </HashRouter>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Reset demo account' }));
    expect((await findSheet()).textContent).toContain('fund subscriptions are forfeited');
  });

  test('shows the chat if the operator has one', async () => {
    expect(await rows(false, { place: 'inside', url: 'https://x' })).toContain('Online service');
    queries.clear();
    expect(await rows(false, { place: 'window', url: 'https://x' })).toContain('Online service');
    queries.clear();
    expect(await rows(false, undefined)).not.toContain('Online service');
  });

  test('has rows for deposit, withdraw and wallet', async () => {
    const shown = await rows(false, undefined);
    expect(shown).toEqual(expect.arrayContaining(['Deposit', 'Withdraw', 'Wallet']));
  });

  test('shows the status of the verification', async () => {
    expect(await rows(false, undefined)).toContain('Identity verificationVerified');
  });
});

test('a search of country codes says how many it has found', async () => {
  await renderSettled(
    <HashRouter>
      <AreaPicker area={italy} areas={[hongKong, italy]} onPick={() => undefined} />
    </HashRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Country code/ }));
  const search = await screen.findByRole('searchbox');
  await userEvent.type(search, 'ita');
  expect(await screen.findByText('Country or code: 1')).toBeTruthy();
  await userEvent.type(search, 'x');
  expect(
    await screen.findByText('Nothing found for “itax”', { selector: '[role=status]' }),
  ).toBeTruthy();
});
