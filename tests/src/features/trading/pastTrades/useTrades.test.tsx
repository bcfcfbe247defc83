import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import type { Trade } from '#domain/trading/results';
import { useTrades } from '../../../../../src/features/trading/pastTrades/useTrades';
import { ordersRevision } from '../../../../../src/worker/trading';
import { settle } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { order, price, usd } from '../../sampleOrder';

const trade = (change: Partial<Trade> = {}): Trade => ({
  ...order({ status: 'closed', closeReason: 'user', profit: usd('3') }),
  completedAt: toUnixMs(Date.UTC(2026, 0, 3)),
  ...change,
});

test('a trade that the broker has corrected is given anew, one that is the same is not', async () => {
  const { scripted, frame } = scriptWorkerApi();
  let trades = [trade()];
  scripted.pastTrades = async () => success({ trades, complete: true });
  const { result } = renderHook(() => useTrades(1, toUnixMs(0)));
  const ask = async (now: Trade[]) => {
    trades = now;
    await act(async () => frame({ ordersRevision: ordersRevision.peek() + 1 }));
    await settle();
    return result.current;
  };
  const first = await ask([trade()]);
  expect(first).toEqual([trade()]);
  expect(await ask([trade()])).toBe(first);
  const corrected = trade({ updatePrice: price('1.05'), profit: usd('-5') });
  expect(await ask([corrected])).toEqual([corrected]);
});
