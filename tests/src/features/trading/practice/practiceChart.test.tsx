import { act, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import type { PracticeRequest } from '#domain/worker/practice';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { entryLine } from '../../../../../src/features/trading/chart/orderLines';
import { PracticeChart } from '../../../../../src/features/trading/practice/PracticeChart';
import { toasts } from '../../../../../src/ui/toastStore';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { order, price } from '../../sampleOrder';

const shown = vi.hoisted(() => ({
  move: async (_id: string, _price: number): Promise<void> => undefined,
}));
vi.mock('../../../../../src/features/trading/chart/Chart', () => ({
  Chart: ({ onLineMoved }: { onLineMoved: typeof shown.move }) => {
    shown.move = onLineMoved;
    return null;
  },
}));

/** The chart of a session with these orders, and what it asks the session for. */
function chartOf(...orders: Order[]): PracticeRequest[] {
  const requests: PracticeRequest[] = [];
  const worker = scriptWorkerApi([]);
  Object.assign(worker.scripted, {
    watchOrders: async () => undefined,
    practice: async (request: PracticeRequest) => {
      requests.push(request);
      return success(undefined);
    },
  });
  render(
    <PracticeChart
      live={new LiveChart(async () => success(undefined))}
      instrument={listRow(1).instrument}
      period="1min"
      orders={orders}
      onOrder={() => undefined}
    />,
  );
  return requests;
}

const move = (line: string, to: number) => act(() => shown.move(line, to));

test('the line of a pending order amends it and asks for no exit; that of a position sets one', async () => {
  const pending = order({ id: -1, status: 'pending', originPrice: price('1.05') });
  const open = order({ id: -2 });
  const requests = chartOf(pending, open);
  await move(entryLine(-1), 1.06);
  expect(requests).toEqual([
    { do: 'amend', id: -1, terms: expect.objectContaining({ targetPrice: '1.06' }) },
  ]);
  await move(entryLine(-2), 1.2);
  expect(requests.slice(1)).toMatchObject([{ do: 'exits', id: -2 }]);
});

test('a dragged stop-loss that follows the price follows it at the distance of the drop', async () => {
  const exits = { stopLoss: price('1.09'), takeProfit: price('1.2'), trailing: price('0.02') };
  // Of a session's instrument: quotes of the account's are of another time.
  const requests = chartOf(order({ id: -2, instrumentId: -1, ...exits }));
  await move('-2 stopLoss', 1.085);
  await move('-2 takeProfit', 1.25);
  expect(requests).toEqual([
    { do: 'exits', id: -2, stopLoss: '', takeProfit: '1.2', trailing: '0.015' },
    { do: 'exits', id: -2, stopLoss: '', takeProfit: '1.25', trailing: '0.02' },
  ]);
  toasts.value = [];
  for (const beyond of [1.1, 1.11]) await move('-2 stopLoss', beyond);
  expect(requests).toHaveLength(2);
  expect(toasts.value.map(({ text }) => text)).toMatchObject([
    { message: { key: 'distanceNotPositive' } },
    { message: { key: 'distanceNotPositive' } },
  ]);
});
