import { beforeEach, expect, test } from 'vitest';
import type { ConnectionStatus } from '#domain/worker/workerApi';
import { showFailure } from '../../../src/requests/showFailure';
import { toasts } from '../../../src/ui/toastStore';
import { connectionState } from '../../../src/worker/frameReceiver';

beforeEach(() => {
  toasts.value = [];
});

test.each<[ConnectionStatus, number]>([
  ['offline', 1],
  ['stale', 2],
  ['live', 2],
])('%s: messages of failed calls: %i', (state, count) => {
  connectionState.value = { state, marketOffset: undefined };
  showFailure({ kind: 'transport', code: 'ERR_NETWORK' });
  showFailure({ kind: 'refused', code: 7, text: 'no' });
  expect(toasts.value).toHaveLength(count);
});
