import { computed } from '@preact/signals-core';
import { readPercent } from '#domain/core/readAmounts';
import { type MarginState, marginState } from '#domain/trading/marginWarning';
import { account } from '../worker/trading';

/** How close the account is to a stop-out. Changes only when a limit is crossed, not on each tick. */
export const accountRisk = computed<MarginState>(() => {
  const ratio = readPercent(account.value?.marginLevel);
  return ratio && marginState(ratio);
});
