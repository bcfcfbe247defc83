import { act, renderHook, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { TopOfBookPrices } from '../../../../src/features/trading/TopOfBookPrices';
import { showLanguage } from '../../../../src/i18n/i18n';
import { useTopOfBook } from '../../../../src/worker/topOfBook';
import { renderSettled } from '../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../scriptedWorkerApi';
import { EURUSD } from '../sampleOrder';

beforeEach(() => showLanguage('en'));

async function figures() {
  const worker = scriptWorkerApi();
  const row = listRow(1, { instrument: EURUSD });
  const page = await renderSettled(<TopOfBookPrices row={row} />);
  const topOfBook = (bid: number, ask: number) =>
    act(async () => worker.frame({ topsOfBook: [{ id: EURUSD.id, bid, ask }] }));
  const texts = () => screen.queryAllByRole('definition').map(({ textContent }) => textContent);
  return { ...worker, page, topOfBook, texts };
}

test('bid, ask and spread are shown where the feed has them', async () => {
  const { topOfBook, texts, calls, page } = await figures();
  const watched = () =>
    calls.filter(({ method }) => method === 'watchTopsOfBook').map(({ args }) => args[0]);
  expect(watched()).toEqual([{ add: [EURUSD.id], remove: [] }]);
  expect(texts()).toEqual([]);
  await topOfBook(1.1, 1.10012);
  expect(texts()).toEqual(['1.10000', '1.10012', '0.00012']);
  await topOfBook(0, 0);
  expect(texts()).toEqual([]);
  page.unmount();
  expect(watched().at(-1)).toEqual({ add: [], remove: [EURUSD.id] });
});

test('a closed market shows none', async () => {
  const { topOfBook, texts, frame } = await figures();
  await topOfBook(1.1, 1.2);
  expect(texts()).toHaveLength(3);
  const closed = quoteNumbers(EURUSD.id, 1.1, { flags: 0 });
  await act(async () => frame({ quotes: Float64Array.from(closed) }));
  expect(texts()).toEqual([]);
});

test('another instrument is not shown the bid and ask of the former one', async () => {
  const worker = scriptWorkerApi();
  const seen: string[] = [];
  const { rerender } = renderHook(({ id }) => seen.push(`${id}: ${useTopOfBook(id)?.bid}`), {
    initialProps: { id: 1 },
  });
  await act(async () => worker.frame({ topsOfBook: [{ id: 1, bid: 1.1, ask: 1.2 }] }));
  rerender({ id: 2 });
  await act(async () => worker.frame({ topsOfBook: [{ id: 2, bid: 30, ask: 31 }] }));
  expect(new Set(seen)).toEqual(new Set(['1: undefined', '1: 1.1', '2: undefined', '2: 30']));
});
