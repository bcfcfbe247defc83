import { act } from '@testing-library/react';
import { expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { ChartLegend } from '../../../../../src/features/trading/chart/ChartLegend';
import { chartClock } from '../../../../../src/features/trading/chart/chartClock';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { renderSettled } from '../../../rendering';

test('the legend of the bars is written anew in the language that is chosen', async () => {
  await showLanguage('en');
  const live = new LiveChart(async () => success(undefined));
  const key = { instrumentId: 1, period: '1min' } as const;
  live.show(key, { clock: chartClock('1min', 'en'), formatPrice: String, precision: 2 });
  const { container } = await renderSettled(
    <ChartLegend live={live} precision={2}>
      {null}
    </ChartLegend>,
  );
  const bars = Float64Array.from([60, 1, 1.5, 0.5, 1.25, 3]);
  await act(async () => live.receive({ ...key, change: 'replace', bars, more: false }));
  const texts = () => [...container.querySelectorAll('b')].map(({ textContent }) => textContent);
  expect(texts()).toEqual(['1.00', '1.50', '0.50', '1.25', '3', '+0.25 +25.00%']);
  await act(() => showLanguage('de'));
  expect(texts().slice(0, 4)).toEqual(['1,00', '1,50', '0,50', '1,25']);
});
