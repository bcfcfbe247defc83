import { describe, expect, it, vi } from 'vitest';
import { type IndicatorSpec, indicatorKey, usualIndicator } from '#domain/indicators/catalogue';
import type { Candles, IndicatorValues } from '#domain/market/candles';
import type { ChartParts } from '../../../../../../src/features/trading/chart/chartParts';
import {
  type DrawnIndicator,
  IndicatorLayer,
} from '../../../../../../src/features/trading/chart/indicators/indicatorLayer';

const drawn = (id: number, spec: IndicatorSpec): DrawnIndicator => ({
  ...spec,
  id,
  name: indicatorKey(spec),
  colours: ['black'],
  decimals: 2,
  format: (value) => value.toFixed(2),
});

const change = (spec: IndicatorSpec, ...values: number[]): IndicatorValues => ({
  key: indicatorKey(spec),
  change: 'replace',
  values: Float64Array.from(values),
});

const frame = (...indicators: IndicatorValues[]): Candles => ({
  instrumentId: 1,
  period: '1min',
  change: 'update',
  bars: new Float64Array(),
  more: true,
  indicators,
});

/** A canvas that shows the bars from index 1 to 4 of six. */
function attached() {
  let included: Parameters<ChartParts['include']>[0];
  const rescale = vi.fn();
  const parts = {
    chart: { panes: () => [{ getHeight: () => 300, setStretchFactor: () => undefined }] },
    candles: { attachPrimitive: () => undefined, detachPrimitive: () => undefined },
    bars: () => ({ length: 6 }),
    inSight: () => ({ from: 1, to: 4 }),
    xOf: (index: number) => index * 7,
    lastHeldTime: () => undefined,
    include(range: typeof included) {
      included = range;
    },
    onHeld: () => undefined,
    atEnd: () => undefined,
    rescale,
  } as unknown as ChartParts;
  const layer = new IndicatorLayer();
  layer.attach(parts);
  return { layer, parts, rescale, range: () => included?.({ minValue: 10, maxValue: 14 }) };
}

const SMA = usualIndicator('sma');

describe('the price axis', () => {
  it('includes lines in sight, as far as they are near to the bars', () => {
    const { layer, rescale, range } = attached();
    layer.show([drawn(1, SMA)], 'grey');
    expect(range()).toBeUndefined();
    rescale.mockClear();
    // Of the bars in sight the third is far away; the first and the last bar are not in sight.
    layer.receive(frame(change(SMA, 9, Number.NaN, 9.5, 40, 15.5, 16)), 6);
    expect(rescale).toHaveBeenCalledTimes(1);
    expect(range()).toEqual({ minValue: 9.5, maxValue: 15.5 });
  });

  it('leaves out what has ended', () => {
    const { layer, range } = attached();
    layer.show([drawn(1, SMA)], 'grey');
    layer.receive(frame(change(SMA, 11, 11, 11, 11, 11, 11)), 6);
    layer.clear();
    expect(range()).toBeUndefined();
    layer.receive(frame(change(SMA, 11, 11, 11, 11, 11, 11)), 6);
    layer.show([], 'grey');
    expect(range()).toBeUndefined();
    layer.attach(undefined);
    expect(range()).toBeUndefined();
  });
});

describe('the values at a bar', () => {
  const CLOUD: IndicatorSpec = { kind: 'ichimoku', parameters: [9, 26, 52, 3] };

  it('are those that are drawn there, also of lines that are moved', () => {
    const { layer } = attached();
    layer.show([drawn(1, CLOUD), drawn(2, SMA)], 'grey');
    const rows = Array.from({ length: 6 }, (_, bar) => [0, 1, 2, 3, 4].map((at) => 10 * at + bar));
    layer.receive(frame(change(CLOUD, ...rows.flat())), 6);
    // Spans are drawn two bars later, the lagging one two bars earlier.
    expect(layer.valuesAt(1, 3)).toEqual([3, 13, 21, 31, 45]);
    expect(layer.valuesAt(1, 5)).toEqual([5, 15, 23, 33, Number.NaN]);
    expect(layer.valuesAt(3, 3)).toEqual([]);
  });

  it('are told without those that are missing', () => {
    const { layer } = attached();
    const macd = usualIndicator('macd');
    layer.show([drawn(1, SMA), drawn(2, CLOUD)], 'grey');
    layer.receive(frame(change(SMA, Number.NaN, 1, 2, 3, 4, 5), change(macd, 7)), 6);
    const cloud = { name: indicatorKey(CLOUD), text: '' };
    expect(layer.figures(0)).toEqual([{ name: 'sma 20', text: '' }, cloud]);
    expect(layer.figures(5)).toEqual([{ name: 'sma 20', text: '5.00' }, cloud]);
  });
});

it('the axis of a pane has as many decimals as the values of its indicator', () => {
  const formats: unknown[] = [];
  const series = {
    applyOptions: ({ priceFormat }: { priceFormat: unknown }) => formats.push(priceFormat),
    attachPrimitive: () => undefined,
    getPane: () => ({ getHeight: () => 100 }),
    priceScale: () => ({ applyOptions: () => undefined }),
    setData: () => undefined,
  };
  const { layer, parts } = attached();
  parts.chart.addSeries = ((_: unknown, { priceFormat }: { priceFormat: unknown }) => {
    formats.push(priceFormat);
    return series;
  }) as unknown as typeof parts.chart.addSeries;
  const macd = drawn(1, usualIndicator('macd'));
  layer.show([{ ...macd, decimals: 12 }], 'grey');
  layer.show([{ ...macd, decimals: 12 }], 'grey');
  layer.show([{ ...macd, decimals: 13 }], 'grey');
  expect(formats).toMatchObject([{ minMove: 1e-12 }, { minMove: 1e-13 }]);
});

it.each([
  ['is scaled anew where its newest value is outside of it', true, 1],
  ['stays as the user has scaled it', false, 0],
])('the axis of a pane %s', (_, autoScale, times) => {
  const scaled = vi.fn();
  const priceScale = {
    applyOptions: (options: object) => 'autoScale' in options && scaled(),
    options: () => ({ autoScale }),
  };
  const series = {
    attachPrimitive: () => undefined,
    getPane: () => ({ getHeight: () => 100 }),
    priceScale: () => priceScale,
    priceToCoordinate: (value: number) => 100 - value,
    setData: () => undefined,
  };
  const { layer, parts } = attached();
  parts.chart.addSeries = (() => series) as unknown as typeof parts.chart.addSeries;
  const rsi = usualIndicator('rsi');
  layer.show([drawn(1, rsi)], 'grey');
  layer.receive(frame(change(rsi, 20, 30, 40, 50, 60, 120)), 6);
  layer.paint();
  expect(scaled).toHaveBeenCalledTimes(times);
});
