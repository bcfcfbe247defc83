import { signal } from '@preact/signals-core';
import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { ChartView } from '../../../../../src/features/trading/chart/ChartView';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { showLanguage } from '../../../../../src/i18n/i18n';
import type { SharedCrosshair } from '../../../../../src/panels/panel';
import { renderSettled } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';

test('a chart that goes takes its crosshair from the others', async () => {
  scriptWorkerApi();
  await showLanguage('en');
  const crosshair = signal<SharedCrosshair | undefined>(undefined);
  const follow = vi.spyOn(LiveChart.prototype, 'follow');
  const panel = { period: undefined, setPeriod: () => undefined, crosshair, toolbar: undefined };
  const { unmount } = await renderSettled(<ChartView row={undefined} panel={panel} />);
  const [live] = follow.mock.contexts as LiveChart[];
  await act(async () => {
    if (live) live.pointedTime.value = toUnixSeconds(60);
  });
  expect(crosshair.value).toEqual({ time: 60, by: live });
  unmount();
  expect(crosshair.value).toBeUndefined();
});
