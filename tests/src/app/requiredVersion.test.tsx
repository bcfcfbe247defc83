import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeWhenFree } from '../../../src/app/requiredVersion';
import { busy } from '../../../src/ui/BusyOverlay';
import { unanswered } from '../../../src/worker/requests';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  document.body.replaceChildren();
  unanswered.value = [];
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
