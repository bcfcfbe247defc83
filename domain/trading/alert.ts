/** Alerts (domain.md#alerts). */
import { compare, sign, truncate } from '../core/decimal';
import { type FieldProblem, fieldProblem, lineProblem } from '../core/rule';
import { type DurationMs, toDurationMs, type UnixMs } from '../core/time';
import type { Price } from '../core/units';
import type { Condition, ConditionKind } from './condition';
import { type Approach, approach, isFarOff, isReached } from './triggers';

/** The most alerts of a user that may wait (protocol.md#alerts). */
const MOST_ALERTS = 100;
/** A repeating alert triggers at most once in this time (protocol.md#alerts). */
export const ALERT_PAUSE_MS: DurationMs = toDurationMs(60_000);
/** The longest note, in characters. */
export const LONGEST_NOTE = 100;

/** An alert (protocol.md#alert), with what the page shows of its instrument. */
export interface Alert {
  id: number;
  code: string;
  /** The name that users see; the code where the instrument is not listed. */
  name: string;
  /** Decimals of its prices. */
  precision: number;
  condition: Condition;
  /** 0 where it is not on a price. */
  price: Price;
  /** While it waits: whether the price has to rise. Afterwards, and in an event: whether it rose. */
  above: boolean;
  repeat: boolean;
  note: string;
  /** Until when it waits; undefined: without end. */
  until: UnixMs | undefined;
  createdAt: UnixMs;
  /** When it last triggered; undefined before. */
  triggeredAt: UnixMs | undefined;
  /** The price that triggered it; 0 before. */
  triggerPrice: Price;
}

/** An alert as it is asked for; undefined where nothing is entered. */
export interface AlertRequest {
  /** What it is on; a price where it is missing. */
  kind?: ConditionKind;
  price: Price | undefined;
  note: string;
  until: UnixMs | undefined;
}

/** What a problem of an alert can be about. */
export type AlertField =
  | 'price'
  | 'kind'
  | 'level'
  | 'settings'
  | 'change'
  | 'margin'
  | 'note'
  | 'until'
  | 'alerts';

/**
 * The first rule that a new alert breaks (domain.md#alerts). `precision`: decimals of a price;
 * `waiting`: how many alerts the user has waiting; `now`: the wall clock.
 */
export function alertProblem(
  { kind = 'price', price, note, until }: AlertRequest,
  { precision, waiting, now }: { precision: number; waiting: number; now: UnixMs },
): FieldProblem<AlertField> | undefined {
  if (kind === 'price') {
    if (price === undefined) return fieldProblem('price', 'priceRequired');
    if (sign(price) <= 0) return fieldProblem('price', 'priceNotPositive');
    if (compare(truncate(price, precision), price) !== 0)
      return fieldProblem('price', 'priceTooFine', { decimals: precision });
  }
  if (note.length > LONGEST_NOTE) return fieldProblem('note', 'textTooLong', { max: LONGEST_NOTE });
  const forged = lineProblem('note', note);
  if (forged) return forged;
  if (until !== undefined && until <= now) return fieldProblem('until', 'alertEndPast');
  return waiting < MOST_ALERTS
    ? undefined
    : fieldProblem('alerts', 'tooManyAlerts', { max: MOST_ALERTS });
}

/** An alert whose level is far off; only the form says so. */
export function farLevelProblem(
  level: Price | undefined,
  market: Price | undefined,
): FieldProblem<AlertField> | undefined {
  return level && market && isFarOff(level, market)
    ? fieldProblem('price', 'priceFarOff')
    : undefined;
}

/** The direction in which the price has to move to the level, `''` where it stands on it (domain.md#alerts). */
export type Waiting = Approach | '';

/** What an alert at `level` waits for once the price is `price` (domain.md#alerts). */
export function waitingAt(level: Price, price: Price): Waiting {
  return approach(level, price) ?? '';
}

/** Whether `price` crosses the level: it reaches or passes it from the side on which it stood (domain.md#alerts). */
export function isCrossed(level: Price, waits: Waiting, price: Price): boolean {
  return waits !== '' && isReached(level, waits, price);
}
