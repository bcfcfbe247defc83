import { signal } from '@preact/signals-core';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { OrderChart } from '../../../../../src/features/trading/chart/OrderChart';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { queries } from '../../../../../src/requests/queries';
import { user } from '../../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../../rendering';
import { scriptWorkerApi, settingsWith } from '../../../scriptedWorkerApi';
import { EURUSD, order, price } from '../../sampleOrder';

vi.mock('../../../../../src/features/trading/chart/Chart', () => ({ Chart: () => null }));

beforeEach(() => showLanguage('en'));
afterEach(() => {
  user.value = undefined;
});

/** A chart whose latest price is 1.234, and what opens the menu at 1.2345. */
function chart() {
  const worker = scriptWorkerApi([], { silent: true });
  worker.frame({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  const host = document.createElement('div');
  const space = { host, size: () => ({ width: 300, height: 400 }), priceAt: () => 1.2345 };
  const live = {
    space: signal(space),
    bars: () => [{ close: 1.234 }],
    repaintEnd: () => {},
  } as unknown as LiveChart;
  const of = (instrument: typeof EURUSD) => (
    <OrderChart live={live} instrument={instrument} period="1min" bare={false} />
  );
  const press = () => act(async () => host.dispatchEvent(new MouseEvent('contextmenu')));
  return { ...worker, of, press };
}

test('the menu of a price ends where the chart turns to another instrument, which has no such price', async () => {
  const { of, press } = chart();
  const page = await renderSettled(of(EURUSD));
  await press();
  expect((await findSheet()).textContent).toContain('1.23450');
  await act(async () => page.rerender(of({ ...EURUSD, id: 2, name: 'Gold' })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  ['bid and ask', true, 'Buy limit'],
  ['the latest price', false, 'Buy stop'],
])(
  'within the spread, where orders are judged by %s, the menu names them so',
  async (_, judgedAtQuote, name) => {
    const { scripted, frame, of, press } = chart();
    queries.clear();
    scripted.accountSettings = async () => success({ ...settingsWith([]), judgedAtQuote });
    await renderSettled(of(EURUSD));
    await press();
    const sheet = await findSheet();
    await act(async () => frame({ topsOfBook: [{ id: EURUSD.id, bid: 1.2338, ask: 1.235 }] }));
    expect(sheet.textContent).toContain(name);
    expect(sheet.textContent).toContain('Sell limit');
  },
);

test('the exit of a position is that which is valid at the present price, and stays it while the menu is open', async () => {
  user.value = { id: 1 } as User;
  const { hasOpen, frame, of, press } = chart();
  hasOpen(order({ price: price('1.2'), updatePrice: price('1.25') }));
  await renderSettled(of(EURUSD));
  await settle();
  await press();
  const exit = within(await findSheet()).getByRole('button', { name: /^Stop-loss/ });
  await act(async () => frame({ profits: [{ id: 7, profit: '0', price: 1.23 }] }));
  await userEvent.click(exit);
  expect(await screen.findByRole('group', { name: 'Stop-loss' })).toBeDefined();
});
