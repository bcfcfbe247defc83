import { signal } from '@preact/signals-core';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import type { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { OrderChart } from '../../../../../src/features/trading/chart/OrderChart';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { findSheet, renderSettled } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD } from '../../sampleOrder';

vi.mock('../../../../../src/features/trading/chart/Chart', () => ({ Chart: () => null }));

beforeEach(() => showLanguage('en'));

test('the menu of a price ends where the chart turns to another instrument, which has no such price', async () => {
  const { frame } = scriptWorkerApi();
  frame({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  const host = document.createElement('div');
  const space = { host, size: () => ({ width: 300, height: 400 }), priceAt: () => 1.2345 };
  const live = { space: signal(space), bars: () => [] } as unknown as LiveChart;
  const chart = (instrument: typeof EURUSD) => (
    <OrderChart live={live} instrument={instrument} period="1min" bare={false} />
  );
  const page = await renderSettled(chart(EURUSD));
  await act(async () => host.dispatchEvent(new MouseEvent('contextmenu')));
  expect((await findSheet()).textContent).toContain('1.23450');
  await act(async () => page.rerender(chart({ ...EURUSD, id: 2, name: 'Gold' })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
