import { timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Waiting } from '#domain/trading/alert';
import {
  type ChangeWindow,
  changedPrice,
  counts,
  lineEnd,
  linePrice,
  type MovingCondition,
  sideOf,
  windowStart,
} from '#domain/trading/condition';
import type { AlertState } from './alertState';

/** An alert on a line or on a change in percent. */
export type MovingAlert = AlertState & { readonly condition: MovingCondition };

export function isMoving(alert: AlertState): alert is MovingAlert {
  return alert.condition.kind === 'line' || alert.condition.kind === 'percent';
}

/** The first price of a day or an hour. */
interface Opening {
  start: UnixMs;
  price: number;
}
export type Openings = Readonly<Record<ChangeWindow, Opening>>;

/** For so long the bounds hold between which no level is: lines that are straight do not leave the range of both ends. */
const BOUNDS_MS = toDurationMs(10_000);

/** The price at which an alert crosses at a time of the market's clock; undefined where there is none. */
export function movingLevel(
  { condition }: Pick<MovingAlert, 'condition'>,
  time: UnixMs,
  openings: Openings | undefined,
): number | undefined {
  if (condition.kind === 'line') return linePrice(condition, time);
  const opening = openings?.[condition.window];
  return opening && opening.start === windowStart(condition.window, time)
    ? changedPrice(condition, opening.price)
    : undefined;
}

/** The alerts of one instrument whose levels move, and the openings that changes count from. */
export class MovingLevels {
  private readonly alerts = new Map<number, MovingAlert>();
  openings: Openings | undefined;
  private low = Number.NaN;
  private high = Number.NaN;
  private from = Number.NaN;
  private until = Number.NaN;

  put(alert: MovingAlert): void {
    this.alerts.set(alert.id, alert);
    this.until = Number.NaN;
  }

  delete(id: number): void {
    if (this.alerts.delete(id)) this.until = Number.NaN;
  }

  /** Takes the first price of a day or an hour. The same tick may come again. */
  open(price: number, time: UnixMs): void {
    const { openings } = this;
    if (!openings) return;
    const opened = (window: ChangeWindow): Opening => {
      const start = windowStart(window, time);
      return start > openings[window].start ? { start, price } : openings[window];
    };
    if (windowStart('hour', time) > openings.hour.start) {
      this.openings = { day: opened('day'), hour: opened('hour') };
      this.until = Number.NaN;
    }
  }

  /** Whether a price may have reached or left a level. */
  isNear(price: number, time: UnixMs): boolean {
    if (!(time >= this.from && time <= this.until)) this.bound(price, time);
    return !(price > this.low && price < this.high);
  }

  /** Those whose price is on another side than before, with the side on which it is now, and whether that is a crossing; and those that are over. */
  movedAt(price: number, time: UnixMs): { alert: MovingAlert; waits: Waiting; crosses: boolean }[] {
    const moved: { alert: MovingAlert; waits: Waiting; crosses: boolean }[] = [];
    for (const alert of this.alerts.values()) {
      const waits = sideAfter(alert.waits, movingLevel(alert, time, this.openings), price);
      if (waits === alert.waits && !isOver(alert, time)) continue;
      moved.push({ alert, waits, crosses: crossesTo(alert, waits) });
    }
    return moved;
  }

  /** Computes the band without a level. An alert whose side is not the one that it waits on is near at every price. */
  private bound(price: number, time: UnixMs): void {
    const until = timeAfter(time, BOUNDS_MS);
    this.low = 0;
    this.high = Number.POSITIVE_INFINITY;
    this.from = time;
    this.until = until;
    for (const alert of this.alerts.values()) {
      const levels = [time, until].map((at) => movingLevel(alert, at, this.openings));
      const [one, other] = levels;
      const side = sideOf(one, price);
      const isApart = one === undefined && other === undefined && !isOver(alert, time);
      if (isApart && !beginsWithin(alert.condition, time, until)) continue;
      if (one === undefined || other === undefined || side !== alert.waits || side === '') {
        this.low = Number.POSITIVE_INFINITY;
        return;
      }
      if (side === 'rise') this.high = Math.min(this.high, one, other);
      else this.low = Math.max(this.low, one, other);
    }
  }
}

function beginsWithin(condition: MovingCondition, from: UnixMs, until: UnixMs): boolean {
  if (condition.kind !== 'line') return false;
  const begin = Math.min(condition.t1, condition.t2);
  return begin > from && begin < until;
}

/**
 * The side of an alert after a tick that stands at a price. Where the level is none it stays: a line that begins while the
 * alert is set has a side from the start, and in a cluster ticks from before its begin may still be under way.
 */
export function sideAfter(waits: Waiting, level: number | undefined, price: number): Waiting {
  return level === undefined ? waits : sideOf(level, price);
}

/** Whether a line has no price at this time, and never has one again. */
export function isOver({ condition }: Pick<MovingAlert, 'condition'>, time: UnixMs): boolean {
  const end = condition.kind === 'line' ? lineEnd(condition) : undefined;
  return end !== undefined && time > end;
}

/** Whether an alert that waits on its side crosses once the price stands on another one. */
export function crossesTo({ condition, waits }: MovingAlert, side: Waiting): boolean {
  return waits !== '' && side !== waits && counts(condition, waits);
}
