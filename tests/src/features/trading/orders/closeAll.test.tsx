import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Failure, failed, type Result, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import { CloseAllForm } from '../../../../../src/features/trading/orders/CloseAll';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { renderSettled } from '../../../rendering';
import { scriptGateway } from '../../../scriptedGateway';
import { order } from '../../sampleOrder';

beforeEach(async () => {
  toasts.value = [];
  await showLanguage('en');
});

test('whoever goes away while orders are closed stops it, and is told what was closed and what was not', async () => {
  const worker = scriptGateway([]);
  worker.frame({ link: { state: 'live', marketOffset: toDurationMs(0) } });
  const answers: ((failure?: Failure) => Promise<void>)[] = [];
  worker.scripted.closeOrder = (seen) =>
    new Promise<Result<{ data: Order; text: string }>>((resolve) => {
      answers.push((failure) =>
        act(async () =>
          resolve(failure ? failed(failure) : success({ data: order({ id: seen.id }), text: '' })),
        ),
      );
    });
  const orders = [1, 2, 3, 4].map((id) => order({ id }));
  const { unmount } = await renderSettled(<CloseAllForm orders={orders} onDone={() => {}} />);
  await userEvent.click(screen.getByRole('button', { name: 'Close 4 orders' }));
  await answers[0]?.();
  await answers[1]?.({ kind: 'refused', code: 2, text: 'The market is closed' });
  unmount();
  expect(toasts.value).toEqual([]);
  await answers[2]?.();
  expect(answers).toHaveLength(3);
  expect(toasts.value.map(({ tone, text }) => [tone, text])).toEqual([
    ['error', '2 orders closed\n1 order was not closed:\nEUR/USD 0.1 The market is closed'],
  ]);
});
