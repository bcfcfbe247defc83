import { describe, expect, it } from 'vitest';
import { toSeconds } from '#domain/core/time';
import { HeikinAshi } from '#domain/market/heikinAshi';
import type { Bar } from '#domain/market/kline';
import type { TopOfBook } from '#domain/market/topOfBook';
import { BarList } from '../../../../../src/features/trading/chart/barList';
import type { Stage } from '../../../../../src/features/trading/chart/chartStyle';
import { Compared } from '../../../../../src/features/trading/chart/chartTypes/compare';
import { createChartStyle } from '../../../../../src/features/trading/chart/chartTypes/createChartStyle';
import { countdownText } from '../../../../../src/features/trading/chart/chartTypes/StyledChart';

const bars = (...closes: [minute: number, close: number][]) =>
  Float64Array.from(
    closes.flatMap(([minute, close]) => [minute * 60, close, close + 1, close - 1, close, 1]),
  );
const EUR = { instrumentId: 1, period: '1min', more: true } as const;

function list(packed: Float64Array): BarList {
  const result = new BarList();
  result.apply('replace', packed);
  return result;
}

describe('a compared instrument', () => {
  const compared = () => {
    const result = new Compared('Gold');
    result.receive({ ...EUR, change: 'replace', bars: bars([1, 200], [2, 210], [4, 190]) });
    return result;
  };

  it('counts percent from the first bar in sight, and keeps its last close over gaps', () => {
    const other = compared();
    expect(other.percentAt(120, 60)).toBeCloseTo(5);
    expect(other.percentAt(180, 60)).toBeCloseTo(5);
    expect(other.percentAt(240, 120)).toBeCloseTo((190 / 210 - 1) * 100);
    expect(other.percentAt(0, 0)).toBeUndefined();
    // It begins within the view: from its own first close.
    expect(other.percentAt(120, 0)).toBeCloseTo(5);
  });

  it('widens the axis to where it is drawn', () => {
    const chart = list(bars([1, 10], [2, 10], [3, 10], [4, 10]));
    const range = compared().range(chart, 0, 4);
    expect(range?.maxValue).toBeCloseTo(10.5);
    expect(range?.minValue).toBeCloseTo(9.5);
  });

  it('says whether only its end has moved', () => {
    const other = compared();
    expect(other.receive({ ...EUR, change: 'update', bars: bars([4, 191]) })).toBe(true);
    expect(other.receive({ ...EUR, change: 'update', bars: bars([4, 191], [5, 3]) })).toBe(false);
    expect(other.receive({ ...EUR, change: 'prepend', bars: bars([0, 3]) })).toBe(false);
    expect(other.first).toBe(0);
  });
});

describe('a style', () => {
  const style = (
    type: Parameters<typeof createChartStyle>[0]['type'],
    compared?: Compared,
    book?: () => TopOfBook | undefined,
  ) =>
    createChartStyle({
      type,
      period: '1min',
      breaks: false,
      countdown: undefined,
      compared,
      book,
      formatPercent: (percent) => `${percent.toFixed(1)}%`,
    });

  it('draws bid and ask in the colours of the buttons that trade at them, and no missing side', () => {
    let book: TopOfBook | undefined = { bid: 9, ask: 11 };
    const drawn: unknown[] = [];
    const context = {
      setLineDash() {},
      beginPath() {},
      moveTo() {},
      stroke() {},
      lineTo: (x: number, y: number) => drawn.push([x, y, context.strokeStyle]),
      strokeStyle: '',
    };
    const stage = {
      ...{ context, width: 100, ratio: 1, bars: list(bars([1, 10])), from: 0, to: 0, moving: 1 },
      ...{ y: (price: number) => price * 10, colours: { up: 'green', down: 'red' } },
    };
    const chart = style('candles', undefined, () => book);
    const draw = () => {
      drawn.length = 0;
      chart.drawEnd(stage as unknown as Stage);
      return drawn;
    };
    expect(draw()).toEqual([
      [100, 90.5, 'red'],
      [100, 110.5, 'green'],
    ]);
    book = { bid: 0, ask: 11 };
    expect(draw()).toEqual([[100, 110.5, 'green']]);
    book = undefined;
    expect(draw()).toEqual([]);
  });

  it('shows Heikin-Ashi bars, and others as they are', () => {
    const chart = list(bars([1, 10], [2, 20]));
    const expected = new HeikinAshi();
    expected.follow(chart.all(), 0);
    const heikinAshi = style('heikin-ashi');
    heikinAshi.changed(chart.all(), 0);
    expect([heikinAshi.shown(0), heikinAshi.shown(1)]).toEqual([expected.at(0), expected.at(1)]);
    expect(heikinAshi.shown(2)).toBeUndefined();
    const line = style('line');
    line.changed(chart.all(), 0);
    expect(line.shown(1)).toBeUndefined();
    expect([line.hidesCandles, style('candles').hidesCandles]).toEqual([true, false]);
  });

  it('notes the percent of the compared instrument', () => {
    const other = new Compared('Gold');
    other.receive({ ...EUR, change: 'replace', bars: bars([1, 200], [2, 210]) });
    const [first, second] = list(bars([1, 1], [2, 1])).all() as [Bar, Bar];
    expect(style('candles', other).note(second, first)).toBe('Gold 5.0%');
    expect(style('candles').note(second, first)).toBeUndefined();
  });
});

it('a countdown has hours where there are any, and ends', () => {
  const text = (seconds: number) => countdownText(toSeconds(seconds));
  expect([text(59), text(3599), text(3600), text(100 * 3600 + 61)]).toEqual([
    '00:59',
    '59:59',
    '01:00:00',
    '100:01:01',
  ]);
  expect([text(0), text(-5), text(Number.NaN)]).toEqual([undefined, undefined, undefined]);
});
