import { act } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import type { RequestKind } from '#domain/api/call';
import { success } from '#domain/core/result';
import type { RequestSettled } from '#domain/worker/requests';
import { useEvents } from '../../../src/app/useEvents';
import { showLanguage } from '../../../src/i18n/i18n';
import { useRequest } from '../../../src/requests/queries';
import { toasts } from '../../../src/ui/toastStore';
import { user } from '../../../src/worker/trading';
import { renderSettled } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  user.value = { id: 1, demo: false } as User;
  await showLanguage('en');
});
afterEach(() => {
  user.value = undefined;
  toasts.value = [];
});

test.each<[RequestKind, string, RequestSettled['failure']]>([
  ['deposit', 'deposits', undefined],
  ['withdrawal', 'withdrawals', undefined],
  ['withdrawal', 'records', undefined],
  ['payoutMethod', 'payoutMethods', undefined],
  ['deletion', 'payoutMethods', { kind: 'refused', code: 2, text: 'It is gone.' }],
  ['verification', 'verification', undefined],
  ['subscription', 'subscriptions', undefined],
  ['redemption', 'incomes', undefined],
])(
  'the outcome of a %s that the page has not sent refreshes the %s on screen',
  async (kind, name, failure) => {
    const worker = scriptWorkerApi();
    const ask = vi.fn(async () => success(1));
    function Shown() {
      useEvents();
      useRequest([name], ask);
      return null;
    }
    await renderSettled(
      <MemoryRouter>
        <Shown />
      </MemoryRouter>,
    );
    expect(ask).toHaveBeenCalledOnce();
    const settled: RequestSettled = {
      type: 'request-settled',
      subject: { kind },
      text: '',
      ...(failure && { failure }),
    };
    await act(async () => worker.frame({ events: [settled] }));
    expect(ask).toHaveBeenCalledTimes(2);
  },
);
