/** Which indicators there are, with their parameters and lines (domain.md#indicators). No arithmetic: the page uses it too. */

export const INDICATOR_KINDS = [
  'sma',
  'ema',
  'wma',
  'bollinger',
  'keltner',
  'vwap',
  'ichimoku',
  'supertrend',
  'psar',
  'pivots',
  'rsi',
  'macd',
  'stochastic',
  'atr',
  'adx',
  'cci',
  'obv',
  'williams',
  'momentum',
] as const;
export type IndicatorKind = (typeof INDICATOR_KINDS)[number];

/** A number that the user can choose. */
interface IndicatorParameter {
  name: IndicatorParameterName;
  /** What the field's literature uses. */
  usual: number;
  least: number;
  most: number;
  /** Decimals that it may have; 0: a whole number. */
  decimals: number;
}

export type IndicatorParameterName =
  | 'length'
  | 'deviations'
  | 'atrLength'
  | 'multiplier'
  | 'conversion'
  | 'base'
  | 'spanB'
  | 'displacement'
  | 'step'
  | 'most'
  | 'fast'
  | 'slow'
  | 'signal'
  | 'percentK'
  | 'smoothing'
  | 'percentD';

export type IndicatorLine =
  | 'average'
  | 'upper'
  | 'middle'
  | 'lower'
  | 'vwap'
  | 'conversion'
  | 'base'
  | 'spanA'
  | 'spanB'
  | 'lagging'
  | 'rising'
  | 'falling'
  | 'psar'
  | 'pivot'
  | 'r1'
  | 's1'
  | 'r2'
  | 's2'
  | 'r3'
  | 's3'
  | 'rsi'
  | 'macd'
  | 'signal'
  | 'histogram'
  | 'percentK'
  | 'percentD'
  | 'atr'
  | 'adx'
  | 'plusDi'
  | 'minusDi'
  | 'cci'
  | 'obv'
  | 'williams'
  | 'momentum';

export interface IndicatorDefinition {
  /** Over the bars, on their axis, or in a pane of its own. */
  place: 'price' | 'pane';
  /** What its values count: a price, a difference of prices, a number without a unit, traded units. */
  unit: 'price' | 'difference' | 'number' | 'volume';
  parameters: readonly IndicatorParameter[];
  /** Its values of one bar, in their order. */
  lines: readonly IndicatorLine[];
}

const length = (usual: number, least = 1): IndicatorParameter => count('length', usual, least);
const count = (name: IndicatorParameterName, usual: number, least = 1): IndicatorParameter => ({
  name,
  usual,
  least,
  most: 500,
  decimals: 0,
});
const factor = (name: IndicatorParameterName, usual: number): IndicatorParameter => ({
  name,
  usual,
  least: 0.1,
  most: 20,
  decimals: 2,
});
const acceleration = (name: IndicatorParameterName, usual: number): IndicatorParameter => ({
  name,
  usual,
  least: 0.001,
  most: 1,
  decimals: 3,
});

/** Every indicator, as domain.md#indicators defines it. */
export const INDICATORS: Readonly<Record<IndicatorKind, IndicatorDefinition>> = {
  sma: { place: 'price', unit: 'price', parameters: [length(20)], lines: ['average'] },
  ema: { place: 'price', unit: 'price', parameters: [length(20)], lines: ['average'] },
  wma: { place: 'price', unit: 'price', parameters: [length(20)], lines: ['average'] },
  bollinger: {
    place: 'price',
    unit: 'price',
    parameters: [length(20, 2), factor('deviations', 2)],
    lines: ['upper', 'middle', 'lower'],
  },
  keltner: {
    place: 'price',
    unit: 'price',
    parameters: [length(20), count('atrLength', 10), factor('multiplier', 2)],
    lines: ['upper', 'middle', 'lower'],
  },
  vwap: { place: 'price', unit: 'price', parameters: [], lines: ['vwap'] },
  ichimoku: {
    place: 'price',
    unit: 'price',
    parameters: [
      count('conversion', 9),
      count('base', 26),
      count('spanB', 52),
      count('displacement', 26),
    ],
    lines: ['conversion', 'base', 'spanA', 'spanB', 'lagging'],
  },
  supertrend: {
    place: 'price',
    unit: 'price',
    parameters: [length(10), factor('multiplier', 3)],
    lines: ['rising', 'falling'],
  },
  psar: {
    place: 'price',
    unit: 'price',
    parameters: [acceleration('step', 0.02), acceleration('most', 0.2)],
    lines: ['psar'],
  },
  pivots: {
    place: 'price',
    unit: 'price',
    parameters: [],
    lines: ['pivot', 'r1', 's1', 'r2', 's2', 'r3', 's3'],
  },
  rsi: { place: 'pane', unit: 'number', parameters: [length(14, 2)], lines: ['rsi'] },
  macd: {
    place: 'pane',
    unit: 'difference',
    parameters: [count('fast', 12), count('slow', 26), count('signal', 9)],
    lines: ['macd', 'signal', 'histogram'],
  },
  stochastic: {
    place: 'pane',
    unit: 'number',
    parameters: [count('percentK', 14), count('smoothing', 3), count('percentD', 3)],
    lines: ['percentK', 'percentD'],
  },
  atr: { place: 'pane', unit: 'difference', parameters: [length(14)], lines: ['atr'] },
  adx: {
    place: 'pane',
    unit: 'number',
    parameters: [length(14)],
    lines: ['adx', 'plusDi', 'minusDi'],
  },
  cci: { place: 'pane', unit: 'number', parameters: [length(20, 2)], lines: ['cci'] },
  obv: { place: 'pane', unit: 'volume', parameters: [], lines: ['obv'] },
  williams: { place: 'pane', unit: 'number', parameters: [length(14)], lines: ['williams'] },
  momentum: { place: 'pane', unit: 'difference', parameters: [length(10)], lines: ['momentum'] },
};

/** One indicator with its parameters, in the order of its definition. */
export interface IndicatorSpec {
  kind: IndicatorKind;
  parameters: readonly number[];
}

/** The name of what a spec computes: equal specs have equal keys. */
export function indicatorKey({ kind, parameters }: IndicatorSpec): string {
  return [kind, ...parameters].join(' ');
}

/** A spec of `kind` with the usual parameters. */
export function usualIndicator(kind: IndicatorKind): IndicatorSpec {
  return { kind, parameters: INDICATORS[kind].parameters.map(({ usual }) => usual) };
}

export type IndicatorProblem =
  /** Not a number, or with more decimals than the parameter may have. */
  | { kind: 'number'; decimals: number }
  | { kind: 'range'; least: number; most: number }
  /** It has to be less than this other parameter. */
  | { kind: 'order'; below: IndicatorParameterName };

/** Pairs of parameters of which the first has to be less than the second. */
const ASCENDING: Partial<Record<IndicatorKind, readonly [number, number]>> = {
  macd: [0, 1],
  psar: [0, 1],
};

/** What is wrong with each parameter of a spec, in their order; undefined where nothing is (domain.md#indicators). */
export function indicatorProblems(spec: IndicatorSpec): (IndicatorProblem | undefined)[] {
  const { parameters } = INDICATORS[spec.kind];
  const problems = parameters.map(
    ({ least, most, decimals }, index): IndicatorProblem | undefined => {
      const value = spec.parameters[index] ?? Number.NaN;
      if (Number.isNaN(value) || Number(value.toFixed(decimals)) !== value)
        return { kind: 'number', decimals };
      return value < least || value > most ? { kind: 'range', least, most } : undefined;
    },
  );
  const [low, high] = ASCENDING[spec.kind] ?? [];
  if (low !== undefined && high !== undefined && !problems[low] && !problems[high]) {
    const below = parameters[high]?.name;
    if (below && !((spec.parameters[low] ?? 0) < (spec.parameters[high] ?? 0)))
      problems[low] = { kind: 'order', below };
  }
  return problems;
}

/** Whether a spec can be computed. */
export function isIndicatorSpec(spec: IndicatorSpec): boolean {
  return (
    spec.parameters.length === INDICATORS[spec.kind].parameters.length &&
    indicatorProblems(spec).every((problem) => problem === undefined)
  );
}

/**
 * By how many bars each line is drawn later than the bar it is computed at; negative: earlier.
 * Only the lines of Ichimoku are moved (domain.md#indicators).
 */
export function lineShifts({ kind, parameters }: IndicatorSpec): readonly number[] {
  if (kind !== 'ichimoku') return INDICATORS[kind].lines.map(() => 0);
  const ahead = (parameters[3] ?? 1) - 1;
  return [0, 0, ahead, ahead, -ahead];
}
