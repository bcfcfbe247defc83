import type { UnixSeconds } from '../core/time';
import type { Bar, ChartPeriod } from '../market/kline';
import { sessionStart } from './session';
import { stepped } from './stepped';

/** Of which bars a session indicator is made. */
export interface SessionBars {
  period: ChartPeriod;
  /** Whether no bar is older than the first one. Otherwise a session that the first one is in the middle of counts as unknown. */
  whole: boolean;
}

interface Session {
  start: UnixSeconds;
  /** Whether all its bars up to now are known. */
  known: boolean;
}

function sessionOf(
  before: Session | undefined,
  bar: Readonly<Bar>,
  { period, whole }: SessionBars,
) {
  const start = sessionStart(period, bar.time);
  if (before?.start === start) return before;
  return { start, known: before !== undefined || whole || bar.time === start };
}

interface Traded {
  session: Session | undefined;
  turnover: number;
  volume: number;
}

/**
 * Volume-weighted average price since the session began, of (high + low + close) / 3
 * (domain.md#indicators); NaN in an unknown session, and before anything is traded in it.
 */
export function vwap(bars: SessionBars) {
  const first: Traded = { session: undefined, turnover: 0, volume: 0 };
  const next = stepped(first, (state, bar): Traded => {
    const session = sessionOf(state.session, bar, bars);
    const same = session === state.session;
    const typical = (bar.high + bar.low + bar.close) / 3;
    return {
      session,
      turnover: (same ? state.turnover : 0) + typical * bar.volume,
      volume: (same ? state.volume : 0) + bar.volume,
    };
  });
  return (bar: Readonly<Bar>, replace: boolean) => {
    const { session, turnover, volume } = next(bar, replace);
    return session?.known && volume > 0 ? turnover / volume : Number.NaN;
  };
}

interface Levels {
  session: Session | undefined;
  high: number;
  low: number;
  close: number;
  /** P, R1, S1, R2, S2, R3, S3 of the session before; NaN where that is unknown. */
  values: readonly number[];
}

const NO_LEVELS: readonly number[] = Array(7).fill(Number.NaN);

/** Pivot points of a session with this high, low and close: P, R1, S1, R2, S2, R3, S3 (domain.md#indicators). */
export function pivotLevels(high: number, low: number, close: number): readonly number[] {
  const pivot = (high + low + close) / 3;
  const range = high - low;
  return [
    pivot,
    2 * pivot - low,
    2 * pivot - high,
    pivot + range,
    pivot - range,
    high + 2 * (pivot - low),
    low - 2 * (high - pivot),
  ];
}

/** Pivot points of the session before that of each bar: P, R1, S1, R2, S2, R3, S3 (domain.md#indicators). */
export function pivots(bars: SessionBars) {
  const first: Levels = {
    session: undefined,
    high: Number.NaN,
    low: Number.NaN,
    close: Number.NaN,
    values: NO_LEVELS,
  };
  const next = stepped(first, (state, bar): Levels => {
    const session = sessionOf(state.session, bar, bars);
    if (session === state.session) {
      const high = Math.max(state.high, bar.high);
      const low = Math.min(state.low, bar.low);
      return { ...state, high, low, close: bar.close };
    }
    const values = state.session?.known
      ? pivotLevels(state.high, state.low, state.close)
      : NO_LEVELS;
    return { session, high: bar.high, low: bar.low, close: bar.close, values };
  });
  return (bar: Readonly<Bar>, replace: boolean) => next(bar, replace).values;
}
