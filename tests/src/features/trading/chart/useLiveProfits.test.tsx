import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toText } from '#domain/core/decimal';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { useLiveProfits } from '../../../../../src/features/trading/chart/useLiveProfits';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { watchedBy } from '../../../subscriptions';
import { order, price } from '../../sampleOrder';

test('what positions are worth comes from the worker, repaints the chart and ends with it', () => {
  const worker = scriptWorkerApi([]);
  Object.assign(worker.scripted, { watchOrders: async () => undefined });
  const live = new LiveChart(async () => ({ ok: true, data: undefined }));
  let repaints = 0;
  live.repaintEnd = () => {
    // A repaint reads what the legend shows, and may change it.
    live.notes.value += 1;
    repaints += 1;
  };
  const orders = [order(), order({ id: 8, status: 'pending', originPrice: price('1.05') })];
  const { result, unmount } = renderHook(() => useLiveProfits(live, orders));
  expect(watchedBy(worker)).toMatchObject({ watchOrders: 1 });
  const [held] = orders;
  if (!held) throw new Error('no order');
  expect(toText(result.current(held))).toBe(toText(held.profit));
  const before = repaints;
  act(() => worker.frame({ profits: [{ id: 7, profit: '-12.500000', price: 1.0999 }] }));
  expect(toText(result.current(held))).toBe('-12.5');
  expect(repaints).toBe(before + 1);
  unmount();
  expect(watchedBy(worker)).toMatchObject({ watchOrders: 0 });
});
