import { isWithin, type Period } from '../core/calendar';
import { add, negate, subtract, toNumber, ZERO } from '../core/decimal';
import { earliest, latest, type UnixMs } from '../core/time';
import type { Usd } from '../core/units';
import { netResult } from '../trading/profit';
import { type ResultTotals, type Trade, totalsOf } from '../trading/results';

/** A movement of the balance that is not of an order (domain.md#account-statement). */
export interface Movement {
  id: number;
  time: UnixMs;
  /** USD; negative where the balance fell. */
  value: Usd;
  kind: MovementKind;
  /** What happened, in the user's language. */
  text: string;
}

export const MOVEMENT_KINDS = ['deposits', 'withdrawals', 'funds', 'other'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Kinds by the type of the financial record (domain.md#financial-records); any other type is `other`. */
const KINDS: Readonly<Record<number, MovementKind | 'order'>> = {
  1: 'deposits',
  2: 'order',
  3: 'order',
  4: 'order',
  5: 'order',
  11: 'deposits',
  12: 'withdrawals',
  13: 'withdrawals',
  15: 'funds',
  16: 'funds',
  17: 'funds',
  18: 'funds',
  19: 'order',
  20: 'order',
  21: 'order',
};

/** Of which kind a financial record is; undefined where it is the margin, the fee, the swap or the profit of an order. */
export function movementKind(type: number): MovementKind | undefined {
  const kind = KINDS[type] ?? 'other';
  return kind === 'order' ? undefined : kind;
}

/** What an account consists of at one moment, USD. */
export interface AccountParts {
  /** Margin in use included (domain.md#account-balance). */
  balance: Usd;
  /** Fees of the positions, which were charged at their fill. */
  openFees: Usd;
  /** Swap of the positions, which was charged in their nights; negative is paid. */
  openSwap: Usd;
}

/** The balance of a statement: as if fee and swap of an order were charged at its end (domain.md#account-statement). */
export function statementBalance({ balance, openFees, openSwap }: AccountParts): Usd {
  return subtract(add(balance, openFees), openSwap);
}

export interface Statement {
  period: Period;
  opening: Usd;
  /** opening + the trades' net result + all movements, exactly. */
  closing: Usd;
  totals: ResultTotals;
  /** The movements of each kind, added up. */
  moved: Readonly<Record<MovementKind, Usd>>;
  /** Ended in the period, the oldest first, as are the movements. */
  trades: Trade[];
  movements: Movement[];
}

/**
 * The statement of a period. `current`: the balance of now. `trades` and `movements`: all since the
 * beginning of the period, those after its end too, because the balances are computed backwards.
 */
export function statementOf(
  period: Period,
  current: Usd,
  trades: readonly Trade[],
  movements: readonly Movement[],
): Statement {
  const later = (time: UnixMs) => time >= period.until;
  let closing = current;
  for (const trade of trades)
    if (later(trade.completedAt)) closing = subtract(closing, netResult(trade));
  for (const movement of movements)
    if (later(movement.time)) closing = subtract(closing, movement.value);

  const moved = { deposits: ZERO, withdrawals: ZERO, funds: ZERO, other: ZERO } as Record<
    MovementKind,
    Usd
  >;
  const own = {
    trades: trades
      .filter(({ completedAt }) => isWithin(period, completedAt))
      .sort((a, b) => a.completedAt - b.completedAt || a.id - b.id),
    movements: movements
      .filter(({ time }) => isWithin(period, time))
      .sort((a, b) => a.time - b.time || a.id - b.id),
  };
  const totals = totalsOf(own.trades);
  for (const { kind, value } of own.movements) moved[kind] = add(moved[kind], value);
  const change = MOVEMENT_KINDS.reduce((sum, kind) => add(sum, moved[kind]), totals.net);
  const opening = add(closing, negate(change));
  return { period, opening, closing, totals, moved, ...own };
}

/** One line of a statement, with the balance after it. */
export interface StatementLine {
  time: UnixMs;
  /** USD. */
  amount: Usd;
  balance: Usd;
  of: { trade: Trade; movement?: never } | { movement: Movement; trade?: never };
}

/** Trades and movements in one list, the oldest first; the last balance is the closing one. */
export function statementLines({ opening, trades, movements }: Statement): StatementLine[] {
  let balance = opening;
  return [
    ...movements.map((movement) => ({
      time: movement.time,
      amount: movement.value,
      of: { movement },
    })),
    ...trades.map((trade) => ({
      time: trade.completedAt,
      amount: netResult(trade),
      of: { trade },
    })),
  ]
    .sort((a, b) => a.time - b.time)
    .map((line) => {
      balance = add(balance, line.amount);
      return { ...line, balance };
    });
}

/** A point of the balance's curve, to be drawn. */
export interface CurvePoint {
  time: UnixMs;
  balance: number;
}

/**
 * The balance over the trades of a period, up to its closing (domain.md#balance-curve). The period's
 * movements count as if they had come before it, so that the curve shows what the trades did.
 */
export function balanceCurve(
  { period, closing, totals, trades }: Statement,
  now: UnixMs,
): CurvePoint[] {
  const [first] = trades;
  if (!first) return [];
  let balance = subtract(closing, totals.net);
  // All time begins with the first trade.
  const from = period.from > 0 ? period.from : earliest(first.createdAt, first.completedAt);
  const points = [{ time: from, balance: toNumber(balance) }];
  let time = from;
  for (const trade of trades) {
    balance = add(balance, netResult(trade));
    time = trade.completedAt;
    points.push({ time, balance: toNumber(balance) });
  }
  points.push({ time: latest(time, earliest(period.until, now)), balance: toNumber(closing) });
  return points;
}

/** Fewer points with the same outline: of each of equal parts the first, the lowest, the highest and the last one. */
export function thinned(points: readonly CurvePoint[], parts: number): CurvePoint[] {
  if (points.length <= parts * 4) return [...points];
  const kept: CurvePoint[] = [];
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * points.length) / parts);
    const to = Math.floor(((part + 1) * points.length) / parts);
    let low = from;
    let high = from;
    const at = (index: number) => points[index] as CurvePoint;
    for (let i = from; i < to; i++) {
      if (at(i).balance < at(low).balance) low = i;
      if (at(i).balance > at(high).balance) high = i;
    }
    const indices = [...new Set([from, low, high, to - 1])].sort((a, b) => a - b);
    kept.push(...indices.map(at));
  }
  return kept;
}
