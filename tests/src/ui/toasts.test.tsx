import { readFileSync } from 'node:fs';
import { act, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { showLanguage } from '../../../src/i18n/i18n';
import ToastHost from '../../../src/ui/ToastHost';
import { showToast, showToastWith, toasts } from '../../../src/ui/toastStore';
import { useValue } from '../../../src/useValue';
import { renderSettled } from '../rendering';

beforeEach(async () => {
  toasts.value = [];
  await showLanguage('en');
});

const show = (...texts: Parameters<typeof showToast>[0][]) =>
  act(async () => {
    for (const text of texts) showToast(text);
  });

function Host({ user }: { user?: number | undefined }) {
  return <ToastHost waiting={useValue(toasts)} user={user} />;
}

test('the same failure again is announced again, in the place of its toast; equal messages are shown each', async () => {
  await renderSettled(
    <MemoryRouter>
      <Host />
    </MemoryRouter>,
  );
  const failure = { kind: 'refused', code: 7, text: 'Not now' } as const;
  await show(failure);
  const former = await screen.findByText('Not now');
  await show(failure, failure);
  await waitFor(() => expect(screen.getAllByText('Not now')).toHaveLength(1));
  // A screen reader announces only what comes into the region.
  expect(screen.getByText('Not now')).not.toBe(former);
  await show('Take-profit: +1.00 USD', 'Take-profit: +1.00 USD');
  expect(screen.getAllByText('Take-profit: +1.00 USD')).toHaveLength(2);
});

test('one of two at once is shown first, the other when its time is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await renderSettled(
    <MemoryRouter>
      <Host />
    </MemoryRouter>,
  );
  await show('Saved', 'Deposit approved');
  await screen.findByText('Deposit approved');
  const waits = () => screen.getByText('Saved').closest('[data-limited]') !== null;
  expect(waits()).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.queryByText('Deposit approved')).toBeNull();
  expect(waits()).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.queryByText('Saved')).toBeNull();
  vi.useRealTimers();
});

test('what is offered to a user ends with the user, what was said stays', async () => {
  const shownTo = (user?: number) => (
    <MemoryRouter>
      <Host user={user} />
    </MemoryRouter>
  );
  const { rerender } = await renderSettled(shownTo(1));
  await act(async () => showToastWith('Order cancelled', { text: 'Place again', run: () => {} }));
  await show('Logged out');
  await screen.findByText('Place again');
  await act(async () => rerender(shownTo()));
  await waitFor(() => expect(screen.queryByText('Place again')).toBeNull());
  expect(screen.getByText('Logged out')).toBeTruthy();
});

// jsdom has no layout.
test('a text of several lines keeps them', () => {
  const styles = readFileSync('src/ui/ToastHost.module.css', 'utf8');
  expect(styles).toMatch(/\n\.text \{[^}]*white-space: pre-line;/);
});

test('its buttons, which are as low as the strip, have the targets of others', () => {
  const styles = readFileSync('src/ui/ToastHost.module.css', 'utf8');
  expect(styles).toMatch(
    /\n\.close::after,\n\.link::after \{[^}]*inset-block: calc\(\(var\(--strip\) - var\(--touch\)\) \/ 2\);/,
  );
});
