import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import { indicatorKey, usualIndicator } from '#domain/indicators/catalogue';
import type { Candles, CandlesKey } from '#domain/market/candles';
import { chartClock } from '../../../../../../src/features/trading/chart/chartClock';
import { IndicatorLegend } from '../../../../../../src/features/trading/chart/indicators/IndicatorLegend';
import { IndicatorLayer } from '../../../../../../src/features/trading/chart/indicators/indicatorLayer';
import { LiveChart } from '../../../../../../src/features/trading/chart/liveChart';
import { showLanguage } from '../../../../../../src/i18n/i18n';
import { INDICATOR_STYLES } from '../../../../../../src/instruments/indicatorStyle';
import { renderSettled } from '../../../../rendering';

const EUR: CandlesKey = { instrumentId: 1, period: '1min' };
const SMA = usualIndicator('sma');
const colours = INDICATOR_STYLES.sma.colours;

const bar = (minute: number) => [minute * 60, 1, 1, 1, 1, 1];
const frame = (change: Candles['change'], bars: number[][], values?: number[]): Candles => ({
  ...EUR,
  change,
  bars: Float64Array.from(bars.flat()),
  more: true,
  ...(values && {
    indicators: [{ key: indicatorKey(SMA), change: 'replace', values: Float64Array.from(values) }],
  }),
});

beforeEach(() => showLanguage('en'));

/** The legend of a chart of two bars, of which the user points at the older one. */
async function pointedAtOldest() {
  const live = new LiveChart(async () => success(undefined));
  const layer = new IndicatorLayer();
  const format = { clock: chartClock('1min', 'en'), formatPrice: String, precision: 2 };
  live.show(EUR, format);
  live.extend(layer);
  layer.show(
    [{ ...SMA, id: 1, name: 'SMA', colours: ['black'], decimals: 2, format: String }],
    'grey',
  );
  live.receive(frame('replace', [bar(10), bar(11)], [Number.NaN, 11]));
  // First to the newest.
  for (let step = 0; step < 2; step++) live.step(-1);
  const shown = [{ ...SMA, id: 1, colours, hidden: false }];
  const { container } = await renderSettled(
    <IndicatorLegend live={live} layer={layer} shown={shown} precision={2} />,
  );
  return { live, text: () => container.querySelector('[data-indicator]')?.textContent };
}

test('the bar under the crosshair has its value also where older bars come in one frame with a tick', async () => {
  const { live, text } = await pointedAtOldest();
  expect(text()).toBe('SMA 20');
  // The values are those of all bars, and come with the last change of the frame.
  live.receive(frame('prepend', [bar(8), bar(9)]));
  live.receive(frame('update', [bar(11)], [8, 9, 10, 11]));
  expect(text()).toBe('SMA 2010.00');
});

test('it has the value of an indicator that is added while it is pointed at', async () => {
  const { live, text } = await pointedAtOldest();
  live.receive(frame('update', [bar(11)], [10, 11]));
  expect(text()).toBe('SMA 2010.00');
});

test('its values are those of the language that is chosen meanwhile', async () => {
  const { live, text } = await pointedAtOldest();
  live.receive(frame('update', [bar(11)], [10, 11]));
  expect(text()).toBe('SMA 2010.00');
  await act(() => showLanguage('de'));
  expect(text()).toBe('SMA 2010,00');
});

test('it is folded to see the bars, which stays so', async () => {
  const { text } = await pointedAtOldest();
  const button = screen.getByRole('button', { name: 'Indicator values', expanded: true });
  await userEvent.click(button);
  expect(text()).toBeUndefined();
  expect(screen.getByRole('button', { expanded: false }).textContent).toBe('1');
  cleanup();
  const again = await pointedAtOldest();
  expect(again.text()).toBeUndefined();
  await userEvent.click(screen.getByRole('button', { name: 'Indicator values' }));
  expect(again.text()).toContain('SMA');
});
