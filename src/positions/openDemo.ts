import { useState } from 'react';
import type { User } from '#domain/account/user';
import { toDecimal } from '#domain/core/decimal';
import type { Result } from '#domain/core/result';
import type { AccountSummary } from '#domain/worker/trading';
import { formatUsd } from '../i18n/format';
import { t } from '../i18n/i18n';
import { showToast } from '../ui/toastStore';
import { account, user } from '../worker/trading';
import { workerApi } from '../worker/workerApi';

/** Opens a demo account, and says what is in it once that is known. */
export async function openDemo(): Promise<Result<User>> {
  const result = await workerApi.signInDemo();
  if (result.ok) void firstSummary().then(showBalance);
  return result;
}

/** `opening` lasts until the demo account is open or refused. */
export function useOpenDemo() {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    const result = await openDemo();
    setOpening(false);
    return result;
  };
  return { opening, open };
}

function firstSummary(): Promise<AccountSummary> {
  return new Promise((resolve) => {
    const stop = account.subscribe((summary) => {
      if (!summary) return;
      resolve(summary);
      queueMicrotask(() => stop());
    });
  });
}

function showBalance({ balance }: AccountSummary): void {
  if (!user.peek()?.demo) return;
  showToast(t('account.demoOpened', { amount: formatUsd(toDecimal(balance)) }));
}
