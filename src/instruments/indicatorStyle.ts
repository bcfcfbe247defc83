import type { IndicatorKind } from '#domain/indicators/catalogue';

/** The colours that can be chosen; each is one of those that charts draw with. */
export const PALETTE = [
  'blue',
  'orange',
  'purple',
  'teal',
  'pink',
  'gold',
  'grey',
  'rising',
  'falling',
] as const;
export type Colour = (typeof PALETTE)[number];

type Shape = 'line' | 'dashes' | 'dots' | 'steps' | 'columns';

export interface IndicatorStyle {
  /** As traders write it; the same in all languages. */
  short: string;
  /** Of each line. */
  shapes: readonly Shape[];
  /** Of each line, until others are chosen. */
  colours: readonly Colour[];
  /** Pairs of lines with an area between them. */
  area?: readonly [number, number];
  /** Values with a dotted line from edge to edge. */
  levels?: readonly number[];
  /** What its axis shows at least. */
  range?: readonly [number, number];
}

const line = (
  short: string,
  colour: Colour,
  more: Partial<IndicatorStyle> = {},
): IndicatorStyle => ({
  short,
  shapes: ['line'],
  colours: [colour],
  ...more,
});

const bands = (short: string, colour: Colour): IndicatorStyle => ({
  short,
  shapes: ['line', 'dashes', 'line'],
  colours: [colour, colour, colour],
  area: [0, 2],
});

export const INDICATOR_STYLES: Readonly<Record<IndicatorKind, IndicatorStyle>> = {
  sma: line('SMA', 'blue'),
  ema: line('EMA', 'orange'),
  wma: line('WMA', 'purple'),
  bollinger: bands('BB', 'teal'),
  keltner: bands('KC', 'pink'),
  vwap: line('VWAP', 'purple'),
  ichimoku: {
    short: 'Ichimoku',
    shapes: ['line', 'line', 'line', 'line', 'dashes'],
    colours: ['blue', 'pink', 'teal', 'orange', 'grey'],
    area: [2, 3],
  },
  supertrend: { short: 'SuperTrend', shapes: ['line', 'line'], colours: ['rising', 'falling'] },
  psar: line('SAR', 'blue', { shapes: ['dots'] }),
  pivots: {
    short: 'Pivots',
    shapes: ['steps', 'steps', 'steps', 'steps', 'steps', 'steps', 'steps'],
    colours: ['gold', 'falling', 'rising', 'falling', 'rising', 'falling', 'rising'],
  },
  rsi: line('RSI', 'purple', { levels: [30, 70], range: [0, 100] }),
  macd: {
    short: 'MACD',
    shapes: ['line', 'line', 'columns'],
    colours: ['blue', 'orange', 'teal'],
    levels: [0],
  },
  stochastic: {
    short: 'Stoch',
    shapes: ['line', 'line'],
    colours: ['blue', 'orange'],
    levels: [20, 80],
    range: [0, 100],
  },
  atr: line('ATR', 'pink'),
  adx: {
    short: 'ADX',
    shapes: ['line', 'line', 'line'],
    colours: ['purple', 'rising', 'falling'],
  },
  cci: line('CCI', 'blue', { levels: [-100, 100] }),
  obv: line('OBV', 'teal'),
  williams: line('%R', 'orange', { levels: [-80, -20], range: [-100, 0] }),
  momentum: line('Mom', 'blue', { levels: [0] }),
};
