/**
 * What an alert is on: a price, an indicator, a line of the chart, a change in percent, or the margin level
 * (domain.md#conditions). No arithmetic of indicators: the page uses it too.
 */
import { readJson } from '../core/json';
import { readFields, readNumber } from '../core/read';
import {
  earliest,
  LATEST_MS,
  startOfStep,
  timeAfter,
  timeBetween,
  toDurationMs,
  toUnixMs,
  type UnixMs,
} from '../core/time';
import {
  INDICATOR_KINDS,
  INDICATORS,
  type IndicatorKind,
  type IndicatorLine,
  isIndicatorSpec,
} from '../indicators/catalogue';
import { CHART_PERIODS, type ChartPeriod } from '../market/kline';

/** What an alert can be on. Those after the first need the feature `conditions`. */
export const CONDITION_KINDS = ['price', 'indicator', 'line', 'percent', 'margin'] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** The longest text of parameters, in characters. */
export const LONGEST_PARAMS = 500;

/** In which direction a crossing counts. */
export const CROSSES = ['up', 'down', 'any'] as const;
export type Cross = (typeof CROSSES)[number];

export const WINDOWS = ['day', 'hour'] as const;
export type ChangeWindow = (typeof WINDOWS)[number];

const SCALES = ['linear', 'log'] as const;
const EXTENSIONS = ['none', 'left', 'right', 'both'] as const;

/** One line of an indicator. `settings` are its parameters, in the order of its definition. */
export interface IndicatorOutput {
  name: IndicatorKind;
  settings: readonly number[];
  output: IndicatorLine;
}

/** An indicator that crosses a value, another indicator, or the close of the bars; judged when a bar of `period` closes. */
export interface IndicatorCondition extends IndicatorOutput {
  kind: 'indicator';
  period: ChartPeriod;
  /** Either this or `other` is defined. */
  level: number | undefined;
  /** With `price`, it is the price that crosses the line of the indicator. */
  other: IndicatorOutput | 'price' | undefined;
  cross: Cross;
}

/** A straight line through two points of the market's clock and prices, judged at each tick. */
export interface LineCondition {
  kind: 'line';
  t1: UnixMs;
  p1: number;
  t2: UnixMs;
  p2: number;
  /** `log`: straight on a logarithmic axis. */
  scale: (typeof SCALES)[number];
  /** On which sides it goes on beyond its points. */
  extend: (typeof EXTENSIONS)[number];
}

/** A change in percent since the day or the hour began, in UTC, judged at each tick. */
export interface PercentCondition {
  kind: 'percent';
  change: number;
  window: ChangeWindow;
}

/** The margin level, in percent. */
interface MarginCondition {
  kind: 'margin';
  level: number;
}

/** What an alert is on. */
export type Condition =
  | { kind: 'price' }
  | IndicatorCondition
  | LineCondition
  | PercentCondition
  | MarginCondition;

/** Those whose level moves with time: they are judged at each tick, as a price is. */
export type MovingCondition = LineCondition | PercentCondition;

/** Largest price of a point, and value of an indicator. */
const MOST_PRICE = 1e12;
const MOST_VALUE = 1e15;
const MOST_CHANGE = 1000;
const MOST_MARGIN = 1e6;

const HOUR_MS = toDurationMs(3_600_000);
const WINDOW_MS = { hour: HOUR_MS, day: toDurationMs(24 * HOUR_MS) } as const;

/**
 * Reads `Kind` and `Params` of an alert (protocol.md#conditions); undefined for what nobody can judge: text that is no
 * JSON, an unknown name, a number that is missing, not finite or out of bounds.
 */
export function parseCondition(kind: string, params: string): Condition | undefined {
  if (kind === 'price') return { kind };
  if (params.length > LONGEST_PARAMS) return undefined;
  const fields = readFields(readJson(params));
  if (!fields) return undefined;
  switch (kind) {
    case 'indicator':
      return indicatorOf(fields);
    case 'line':
      return lineOf(fields);
    case 'percent': {
      const change = numberOf(fields['change'], -100, MOST_CHANGE);
      const window = choiceOf(WINDOWS, fields['window']);
      if (!change || change <= -100 || !window) return undefined;
      return { kind, change, window };
    }
    case 'margin': {
      const level = numberOf(fields['level'], 0, MOST_MARGIN);
      return level ? { kind, level } : undefined;
    }
    default:
      return undefined;
  }
}

/** `Params` of a condition: `parseCondition` reads it back as it is. */
export function conditionParams(condition: Condition): string {
  if (condition.kind === 'price') return '';
  const { kind: _kind, ...params } = condition;
  return JSON.stringify(params);
}

/** The lines of an indicator that can be watched: all but those that are drawn in the past. */
export function watchableLines(kind: IndicatorKind): readonly IndicatorLine[] {
  return INDICATORS[kind].lines.filter((line) => line !== 'lagging');
}

type Fields = Readonly<Record<string, unknown>>;

function numberOf(sent: unknown, least: number, most: number): number | undefined {
  const number = readNumber(sent);
  return number !== undefined && number >= least && number <= most ? number : undefined;
}

function choiceOf<const T extends string>(known: readonly T[], sent: unknown): T | undefined {
  return known.find((each) => each === sent);
}

function outputOf(fields: Fields | undefined): IndicatorOutput | undefined {
  const name = choiceOf(INDICATOR_KINDS, fields?.['name']);
  const sent = fields?.['settings'];
  if (!name || !Array.isArray(sent)) return undefined;
  const settings = sent.map((each) => readNumber(each));
  if (!settings.every((each) => each !== undefined)) return undefined;
  const output = choiceOf(watchableLines(name), fields?.['output']);
  if (!output || !isIndicatorSpec({ kind: name, parameters: settings })) return undefined;
  return { name, settings, output };
}

function indicatorOf(fields: Fields): IndicatorCondition | undefined {
  const own = outputOf(fields);
  const period = choiceOf(CHART_PERIODS, fields['period']);
  const cross = choiceOf(CROSSES, fields['cross']);
  if (!own || !period || !cross) return undefined;
  const level = numberOf(fields['level'], -MOST_VALUE, MOST_VALUE);
  const sent = fields['other'];
  const other = sent === 'price' ? sent : outputOf(readFields(sent));
  // One of the two, and what is sent can be read.
  if ((level === undefined) === (other === undefined)) return undefined;
  if (level !== undefined && sent != null) return undefined;
  if (other !== undefined && fields['level'] != null) return undefined;
  return { kind: 'indicator', ...own, period, level, other, cross };
}

function lineOf(fields: Fields): LineCondition | undefined {
  const [t1, t2] = [fields['t1'], fields['t2']].map((sent) => numberOf(sent, 1, LATEST_MS));
  const [p1, p2] = [fields['p1'], fields['p2']].map((sent) => numberOf(sent, 0, MOST_PRICE));
  const scale = choiceOf(SCALES, fields['scale']);
  const extend = choiceOf(EXTENSIONS, fields['extend']);
  if (!t1 || !t2 || !p1 || !p2 || !scale || !extend || t1 === t2) return undefined;
  if (!Number.isInteger(t1) || !Number.isInteger(t2)) return undefined;
  return { kind: 'line', t1: toUnixMs(t1), p1, t2: toUnixMs(t2), p2, scale, extend };
}

/** When the window that holds `time` began, in UTC. */
export function windowStart(window: ChangeWindow, time: UnixMs): UnixMs {
  return startOfStep(time, WINDOW_MS[window]);
}

/** The end of the window that holds `time`: the start of the next one. */
export function windowEnd(window: ChangeWindow, time: UnixMs): UnixMs {
  return toUnixMs(windowStart(window, time) + WINDOW_MS[window]);
}

/** The price at which a change since `open` is as asked. A double: nothing here is money. */
export function changedPrice({ change }: PercentCondition, open: number): number {
  return open * (1 + change / 100);
}

/** The price of a line at a time of the market's clock; undefined where it has none. */
export function linePrice(line: LineCondition, time: UnixMs): number | undefined {
  const { p1, p2, scale, extend } = line;
  const first = Math.min(line.t1, line.t2);
  const last = Math.max(line.t1, line.t2);
  if (time < first && extend !== 'left' && extend !== 'both') return undefined;
  if (time > last && extend !== 'right' && extend !== 'both') return undefined;
  const part = (time - line.t1) / (line.t2 - line.t1);
  const price = scale === 'log' ? p1 * (p2 / p1) ** part : p1 + (p2 - p1) * part;
  return Number.isFinite(price) && price > 0 ? price : undefined;
}

/** After which time a line has no price; undefined: never. */
export function lineEnd({ t1, t2, extend }: LineCondition): UnixMs | undefined {
  return extend === 'right' || extend === 'both' ? undefined : toUnixMs(Math.max(t1, t2));
}

/**
 * Until when an alert waits, by the wall clock `now`: a line that does not go on ends it with its last point, which is of
 * the past where `market`, the market's clock, has passed it. `until`: the user's own end.
 */
export function alertEnd(
  condition: Condition,
  until: UnixMs | undefined,
  { market, now }: { market: UnixMs; now: UnixMs },
): UnixMs | undefined {
  const end = condition.kind === 'line' ? lineEnd(condition) : undefined;
  if (end === undefined) return until;
  return earliest(timeAfter(now, timeBetween(market, end)), until ?? LATEST_MS);
}

/** The direction in which a value has to move to a level, `''` where it stands on it or one of them is not known. */
export function sideOf(level: number | undefined, value: number | undefined): 'rise' | 'fall' | '' {
  if (level === undefined || value === undefined) return '';
  return value < level ? 'rise' : value > level ? 'fall' : '';
}

/** Whether a crossing from this side counts. */
export function counts(condition: Condition, from: 'rise' | 'fall'): boolean {
  switch (condition.kind) {
    case 'indicator':
      return condition.cross === 'any' || (condition.cross === 'up') === (from === 'rise');
    // The way back is no change of that size.
    case 'percent':
      return condition.change > 0 === (from === 'rise');
    default:
      return true;
  }
}
