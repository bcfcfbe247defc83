import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { QuotePrices } from '../../../../../src/features/trading/ticket/QuotePrices';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

async function prices() {
  const worker = scriptWorkerApi();
  const picked: string[] = [];
  const row = listRow(1, { instrument: EURUSD });
  await renderSettled(<QuotePrices row={row} onPick={(price) => picked.push(price)} />);
  const topOfBook = (bid: number, ask: number) =>
    act(async () => worker.frame({ topsOfBook: [{ id: EURUSD.id, bid, ask }] }));
  const names = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);
  return { ...worker, picked, topOfBook, names };
}

test('bid, middle and ask are filled in as they are shown', async () => {
  const { picked, topOfBook, names } = await prices();
  expect(names()).toEqual([]);
  await topOfBook(1.1, 1.10011);
  expect(names()).toEqual(['Bid1.10000', 'Mid1.10006', 'Ask1.10011']);
  // A screen reader does not repeat the name at each change of the price.
  for (const name of ['Bid', 'Mid', 'Ask'])
    await userEvent.click(screen.getByRole('button', { name }));
  expect(picked).toEqual(['1.10000', '1.10006', '1.10011']);
});

test('what is missing is not offered, nor anything of a closed market', async () => {
  const { topOfBook, names, quotes } = await prices();
  await topOfBook(1.1, 0);
  expect(names()).toEqual(['Bid1.10000']);
  await act(async () => quotes(quoteNumbers(EURUSD.id, 1.1, { flags: 0 })));
  expect(names()).toEqual([]);
});
