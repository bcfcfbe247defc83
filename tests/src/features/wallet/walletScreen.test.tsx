import { screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import type { FinancialRecord } from '#domain/api/wallet';
import { success } from '#domain/core/result';
import { DepositForm } from '../../../../src/features/wallet/DepositForm';
import { WalletScreen } from '../../../../src/features/wallet/WalletScreen';
import { showLanguage } from '../../../../src/i18n/i18n';
import { user } from '../../../../src/worker/trading';
import { renderSettled, settle } from '../../rendering';
import { scriptWorkerApi } from '../../scriptedWorkerApi';
import { usd } from '../sampleOrder';

beforeEach(async () => {
  user.value = { id: 1, demo: false } as User;
  await showLanguage('en');
});

test('the wallet has the latest records, and the way to all', async () => {
  const { answers } = scriptWorkerApi();
  const rows = Array.from({ length: 7 }, (_, at) => {
    const record = { id: 7 - at, value: usd(at - 3), text: `Record ${at}`, createdAt: undefined };
    return record as FinancialRecord;
  });
  answers['wallet.recordList'] = async () =>
    success({ rows, received: 7, total: 7, last: undefined });
  await renderSettled(
    <MemoryRouter>
      <WalletScreen />
    </MemoryRouter>,
  );
  await settle();
  const records = within(screen.getByRole('list', { name: 'Records' })).getAllByRole('listitem');
  expect(records.map(({ textContent }) => textContent)).toEqual([
    'Record 0-3.00',
    'Record 1-2.00',
    'Record 2-1.00',
    'Record 30.00',
    'Record 4+1.00',
  ]);
  const all = screen.getByRole('link', { name: 'Account details' });
  expect(all.getAttribute('href')).toBe('/mine/history');
});

test('a deposit goes by numbered steps', async () => {
  const { scripted } = scriptWorkerApi();
  scripted.cancelUpload = async () => undefined;
  await renderSettled(
    <MemoryRouter>
      <DepositForm kind="coin" shown />
    </MemoryRouter>,
  );
  const steps = screen.getAllByRole('heading').map(({ textContent }) => textContent);
  expect(steps).toEqual(['1 Send the money', '2 Tell us the amount', '3 Attach a proof']);
});
