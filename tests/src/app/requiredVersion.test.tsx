import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import { takeWhenFree } from '../../../src/app/requiredVersion';
import { TwoFactorScreen } from '../../../src/features/account/security/TwoFactorScreen';
import { showLanguage } from '../../../src/i18n/i18n';
import { busy } from '../../../src/ui/BusyOverlay';
import { uploads } from '../../../src/worker/frameReceiver';
import { unanswered } from '../../../src/worker/requests';
import { user } from '../../../src/worker/trading';
import { renderSettled, settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  unanswered.value = [];
  uploads.value = {};
  busy.value = false;
  vi.useRealTimers();
});

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

test('a required version is taken at once where nothing is open, and once a tab', () => {
  const take = vi.fn();
  takeWhenFree('2', take);
  expect(take).toHaveBeenCalledTimes(1);
  // The reloaded page may come from a server that is not replaced yet.
  takeWhenFree('2', take);
  expect(take).toHaveBeenCalledTimes(1);
  takeWhenFree('3', take);
  expect(take).toHaveBeenCalledTimes(2);
});

const sheet = () => {
  const dialog = document.createElement('div');
  dialog.role = 'dialog';
  document.body.append(dialog);
  return () => dialog.remove();
};

test.each([
  ['a sheet is open', sheet],
  [
    'a call has no answer',
    () => {
      unanswered.value = [{ key: 'a' } as never];
      return () => {
        unanswered.value = [];
      };
    },
  ],
  [
    'a picture is sent',
    () => {
      uploads.value = { a: 0 };
      return () => {
        uploads.value = {};
      };
    },
  ],
  [
    'the page is busy',
    () => {
      busy.value = true;
      return () => {
        busy.value = false;
      };
    },
  ],
])('it waits while %s', async (_, begin) => {
  const take = vi.fn();
  const end = begin();
  takeWhenFree('2', take);
  await pass(600);
  expect(take).not.toHaveBeenCalled();
  end();
  await pass(1);
  expect(take).toHaveBeenCalledTimes(1);
});

test('it waits for a minute after what was typed last', async () => {
  const take = vi.fn();
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  takeWhenFree('2', take);
  await pass(50);
  fireEvent.input(field);
  await pass(59);
  expect(take).not.toHaveBeenCalled();
  await pass(2);
  expect(take).toHaveBeenCalledTimes(1);
});

test('it waits while the key or the recovery codes of a second factor are shown', async () => {
  const { scripted, answers } = scriptWorkerApi();
  answers['security.otpEnrol'] = async () => success({ data: { secret: 'KEY', uri: 'otp:' } });
  scripted.confirmSecondFactor = async () => success({ data: ['code-1'], text: '' });
  user.value = { id: 1, secondFactor: false } as User;
  await showLanguage('en');
  await renderSettled(
    <MemoryRouter>
      <TwoFactorScreen />
    </MemoryRouter>,
  );
  const take = vi.fn();
  fireEvent.click(screen.getByRole('button', { name: 'Set up' }));
  await settle();
  takeWhenFree('2', take);
  await pass(600);
  expect(take).not.toHaveBeenCalled();
  fireEvent.change(document.querySelector('[name=otp]') as HTMLElement, {
    target: { value: '123456' },
  });
  fireEvent.submit(document.querySelector('form') as HTMLElement);
  await settle();
  expect(screen.getByText('code-1')).toBeDefined();
  await pass(600);
  expect(take).not.toHaveBeenCalled();
  cleanup();
  await pass(1);
  expect(take).toHaveBeenCalledTimes(1);
});

const refused = () => {
  throw new DOMException('', 'SecurityError');
};

test.each([
  ['navigate', 1],
  // It may be the one that was taken.
  ['reload', 0],
])('without storage it is taken unless the page came by a reload: %s', (type, times) => {
  vi.stubGlobal('sessionStorage', { getItem: refused, setItem: refused });
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type }] as never);
  const take = vi.fn();
  takeWhenFree('2', take);
  expect(take).toHaveBeenCalledTimes(times);
});
