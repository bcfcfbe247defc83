import { signal } from '@preact/signals-core';
import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { failed, success } from '#domain/core/result';
import type { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { OrderChart } from '../../../../../src/features/trading/chart/OrderChart';
import { entryLine } from '../../../../../src/features/trading/chart/orderLines';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { preloadSheet, Sheet } from '../../../../../src/ui/Sheet';
import { toasts } from '../../../../../src/ui/toastStore';
import { user } from '../../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../../rendering';
import { scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD, order } from '../../sampleOrder';

let drop: (id: string, price: number) => void;
/** A line returns to its place with the next ones that the chart is given. */
let given: unknown;
vi.mock('../../../../../src/features/trading/chart/Chart', () => ({
  Chart({ onLineMoved, lines }: { onLineMoved: typeof drop; lines: unknown }) {
    drop = onLineMoved;
    given = lines;
    return null;
  },
}));

beforeEach(async () => {
  user.value = { id: 1, demo: true } as User;
  await showLanguage('en');
});
afterEach(() => {
  user.value = undefined;
  toasts.value = [];
});

const live = { space: signal(undefined), bars: () => [] } as unknown as LiveChart;

const page = (instrument = EURUSD, over?: ReactNode) => (
  <>
    <OrderChart live={live} instrument={instrument} period="1min" bare={false} />
    {over}
  </>
);

/** Drags the line of a pending order to 1.2. */
async function dragged(settings: ReturnType<typeof settingsWith> | undefined) {
  const worker = scriptWorkerApi([], { silent: true });
  worker.scripted.accountSettings = async () =>
    settings ? success(settings) : failed({ kind: 'transport', code: '500' });
  worker.hasOpen(order({ status: 'pending' }));
  await renderSettled(page());
  const before = given;
  await act(async () => drop(entryLine(7), 1.2));
  await settle();
  expect(given).not.toBe(before);
}

test.each([
  ['amends it where the server can', ['amend'], 'Edit Buy'],
  ['sets an exit where it can’t', [], 'SL/TP of Buy'],
])('a drag of a pending order %s', async (_, features, title) => {
  await dragged(settingsWith(features));
  expect((await findSheet()).textContent).toContain(title);
});

test('a drag of a pending order changes nothing, and its line returns, where it is not known what the server can', async () => {
  await dragged(undefined);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toasts.value).toHaveLength(1);
});

const form = (
  <Sheet open title="Buy" onClose={() => {}}>
    Lots
  </Sheet>
);

test.each([
  ['another instrument', { ...EURUSD, id: 99, code: 'GBPUSD' }, undefined],
  ['an order form', EURUSD, form],
])('a drag opens nothing once the user has gone on to %s', async (_, instrument, over) => {
  await preloadSheet();
  const { scripted, hasOpen } = scriptWorkerApi([], { silent: true });
  let answer = () => {};
  scripted.accountSettings = () =>
    new Promise((resolve) => {
      answer = () => resolve(success(settingsWith(['amend'])));
    });
  hasOpen(order({ status: 'pending' }));
  const { rerender } = await renderSettled(page());
  await act(async () => void drop(entryLine(7), 1.2));
  await act(async () => rerender(page(instrument, over)));
  await act(async () => answer());
  await settle();
  expect(screen.queryByText(/^Edit Buy/)).toBeNull();
});
