import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PriceTitle } from '../../../../src/features/trading/PriceTitle';
import { pageTitle } from '../../../../src/ui/pageTitle';
import { renderSettled } from '../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../scriptedWorkerApi';

afterEach(() => {
  vi.useRealTimers();
});

test('no price is written into the title of the next screen', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const worker = scriptWorkerApi();
  const page = await renderSettled(<PriceTitle row={listRow(1)} />);
  expect(pageTitle.value).toContain(listRow(1).instrument.name);
  worker.quotes(quoteNumbers(1, 1.25));
  await act(async () => page.unmount());
  vi.advanceTimersByTime(5000);
  expect(pageTitle.value).toBeUndefined();
});

test('an instrument without a price has its name in the title', async () => {
  scriptWorkerApi();
  const row = listRow(1);
  await renderSettled(<PriceTitle row={{ ...row, quote: { ...row.quote, close: Number.NaN } }} />);
  expect(pageTitle.value).toBe(row.instrument.name);
});
