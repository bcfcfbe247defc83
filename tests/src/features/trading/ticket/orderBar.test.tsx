import { act, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { OrderBar } from '../../../../../src/features/trading/ticket/OrderBar';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));

const prices = () =>
  ['Buy', 'Sell'].map((name) => {
    const id = screen.getByRole('button', { name }).getAttribute('aria-describedby') ?? '';
    return document.getElementById(id)?.textContent;
  });

test('buy has the ask, sell the bid, and each the last price where there is none', async () => {
  const { frame } = scriptWorkerApi();
  await renderSettled(
    <MemoryRouter>
      <OrderBar row={listRow(1, { instrument: EURUSD })} />
    </MemoryRouter>,
  );
  const { id } = EURUSD;
  expect(prices()).toEqual(['1.10000', '1.10000']);
  await act(async () => frame({ topsOfBook: [{ id, bid: 1.09999, ask: 1.10002 }] }));
  expect(prices()).toEqual(['1.10002', '1.09999']);
  await act(async () => frame({ topsOfBook: [{ id, bid: 0, ask: 1.10003 }] }));
  expect(prices()).toEqual(['1.10003', '1.10000']);
  // What is quoted before the market closes is not what it opens with.
  await act(async () => frame({ quotes: new Float64Array(quoteNumbers(id, 1.2, { flags: 0 })) }));
  expect(prices()).toEqual(['1.20000', '1.20000']);
});
