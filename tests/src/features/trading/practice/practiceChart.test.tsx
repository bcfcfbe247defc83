import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import type { PracticeRequest } from '#domain/worker/practice';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { entryLine } from '../../../../../src/features/trading/chart/orderLines';
import { PracticeChart } from '../../../../../src/features/trading/practice/PracticeChart';
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

test('the line of a pending order amends it and asks for no exit; that of a position sets one', async () => {
  const requests: PracticeRequest[] = [];
  const worker = scriptWorkerApi([]);
  Object.assign(worker.scripted, {
    watchOrders: async () => undefined,
    practice: async (request: PracticeRequest) => {
      requests.push(request);
      return success(undefined);
    },
  });
  const pending = order({ id: -1, status: 'pending', originPrice: price('1.05') });
  const open = order({ id: -2 });
  render(
    <PracticeChart
      live={new LiveChart(async () => success(undefined))}
      instrument={listRow(1).instrument}
      period="1min"
      orders={[pending, open]}
      onOrder={() => undefined}
    />,
  );
  await shown.move(entryLine(-1), 1.06);
  expect(requests).toEqual([
    { do: 'amend', id: -1, terms: expect.objectContaining({ targetPrice: '1.06' }) },
  ]);
  await shown.move(entryLine(-2), 1.2);
  expect(requests.slice(1)).toMatchObject([{ do: 'exits', id: -2 }]);
});
