import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { account } from '../../../src/worker/trading';
import { useLiquidationPrice } from '../../../src/worker/useLiquidationPrice';
import { scriptWorkerApi } from '../scriptedWorkerApi';

type Account = NonNullable<typeof account.value>;

beforeEach(() => {
  vi.useFakeTimers();
  scriptWorkerApi();
});
afterEach(() => {
  vi.useRealTimers();
  act(() => {
    account.value = null;
  });
});

test('a price that stays the same renders nothing, however often the account changes', () => {
  const changed = (price: string) => {
    act(() => {
      account.value = { stopOutPrices: { 7: price } } as unknown as Account;
      vi.advanceTimersByTime(1000);
    });
  };
  let rendered = 0;
  const { result } = renderHook(() => {
    rendered += 1;
    return useLiquidationPrice(7);
  });
  changed('1.05');
  expect(result.current).toBe('1.05');
  // React renders once more where the value has just changed.
  changed('1.05');
  const before = rendered;
  for (let round = 0; round < 5; round += 1) changed('1.05');
  expect(rendered).toBe(before);
  changed('1.06');
  expect(result.current).toBe('1.06');
});
