import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { showLanguage } from '../../../src/i18n/i18n';
import { openDemo } from '../../../src/positions/openDemo';
import { toasts } from '../../../src/ui/toastStore';
import { account, user } from '../../../src/worker/trading';
import { settle } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

test('says once what is in a new demo account, as the account has it', async () => {
  await showLanguage('en');
  account.value = null;
  toasts.value = [];
  const demo = { id: 1, demo: true } as never;
  scriptWorkerApi().scripted.signInDemo = async () => {
    user.value = demo;
    return success(demo);
  };
  await openDemo();
  await settle();
  expect(toasts.value).toEqual([]);
  account.value = { balance: '54321.5' } as never;
  await settle();
  account.value = { balance: '54000' } as never;
  await settle();
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Demo account open: 54,321.50 USD of virtual money to practise with.',
  ]);
});
