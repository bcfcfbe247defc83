import { and, asc, eq, not } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import {
  earliest,
  millisecondOf,
  timeAfter,
  timeBetween,
  toDurationMs,
  type UnixMs,
} from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { ALERT_PAUSE_MS, isCrossed, waitingAt } from '#domain/trading/alert';
import { getOrInsert } from '../core/getOrInsert';
import type { Db, Tx } from '../db/database';
import { isAnyOf } from '../db/isAnyOf';
import { alerts } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Market, PriceRange, Tick } from '../market/market';
import type { Outbox } from '../push/outbox';
import type { TickWatch } from '../trading/tickWatch';
import { AlertLevels } from './alertLevels';
import { type AlertState, fromRecord } from './alertState';
import { type Missed, missedBy } from './missedCrossing';
import { missedMoving } from './missedMoving';
import { isMoving, isOver, type MovingAlert, MovingLevels, movingLevel } from './movingLevels';

export interface AlertWatchOptions {
  market: Market;
  outbox: Pick<Outbox, 'write'>;
  /** The wall clock. */
  now(): UnixMs;
  /** Called after the commit for each alert that has triggered, as it was when it did. */
  onTrigger(alert: AlertState): void;
}

/** An alert and the crossing that triggers it. */
export interface Crossing {
  alert: AlertState;
  /** From which side; undefined: from that on which the alert waits. */
  from?: 'rise' | 'fall';
  price: Price;
  /** Ticks of the feed's clock after this one are watched next. */
  since: UnixMs;
  /** The side on which the price stands now. */
  waits: AlertState['waits'];
}

const MILLISECOND = toDurationMs(1);

/**
 * Watches the waiting alerts of all users (domain.md#alerts). In memory they are as committed, but for sides that a
 * price has changed without triggering.
 */
export class AlertWatch implements TickWatch {
  private readonly options: AlertWatchOptions;
  private readonly idByCode: ReadonlyMap<string, number>;
  private readonly levels = new Map<number, AlertLevels>();
  private readonly moving = new Map<number, MovingLevels>();
  private readonly waiting = new Map<number, AlertState>();
  /** Those on indicators and on the margin level, which no tick judges. */
  private readonly apart = {
    indicator: new Map<number, AlertState>(),
    margin: new Map<number, AlertState>(),
  };
  /** Sides that have changed since they were last written. */
  private readonly moved = new Set<number>();
  /** Crossings while nothing was judged, not yet written. */
  private missed: Crossing[] = [];
  /** Ids of what has been judged to its end, which is not yet written. */
  private over: number[] = [];
  private stale = true;

  constructor(options: AlertWatchOptions) {
    this.options = options;
    this.idByCode = new Map(options.market.instruments.map(({ code, id }) => [code, id]));
  }

  get isDue(): boolean {
    return this.stale || this.missed.length > 0 || this.over.length > 0;
  }

  /** What is in memory does not count. The next tick reads it again. */
  get isStale(): boolean {
    return this.stale;
  }

  forget(): void {
    this.stale = true;
  }

  async load(db: Db, due: ReadonlyMap<number, UnixMs>): Promise<void> {
    if (!this.stale) return;
    const { market } = this.options;
    const now = this.options.now();
    const records = await db
      .select()
      .from(alerts)
      .where(and(eq(alerts.feed, market.feed), not(alerts.ended)))
      .orderBy(asc(alerts.id));
    this.levels.clear();
    this.moving.clear();
    this.apart.indicator.clear();
    this.apart.margin.clear();
    this.waiting.clear();
    this.moved.clear();
    this.missed = [];
    this.over = [];
    const byInstrument = new Map<number, AlertState[]>();
    for (const record of records) {
      const alert = fromRecord(record);
      const { kind } = alert.condition;
      const instrumentId = kind === 'margin' ? 0 : this.idByCode.get(record.code);
      if (instrumentId === undefined) continue;
      if (kind === 'margin' || kind === 'indicator') {
        if (hasEnded(alert, now)) this.over.push(alert.id);
        else this.put({ ...alert, instrumentId });
      } else getOrInsert(byInstrument, instrumentId, () => []).push({ ...alert, instrumentId });
    }
    for (const [instrumentId, listed] of byInstrument) {
      const until = due.get(instrumentId) ?? timeAfter(market.now(), MILLISECOND);
      const since = listed.map((alert) => alert.since).reduce((a, b) => earliest(a, b));
      const range = await market.priceRange(instrumentId, since, until);
      // While an instrument is closed, its prices of an outage may still be missing.
      const quote = market.quote(instrumentId);
      const isKnown = quote !== undefined && !quote.closedReason;
      if (listed.some(({ condition }) => condition.kind === 'percent'))
        await this.prepare(instrumentId);
      for (const alert of listed) {
        const { crossing, waits } = await this.missedSince(alert, range, until);
        if (crossing && !hasEnded(alert, crossing.time)) {
          this.put(alert);
          this.missed.push({ alert, price: crossing.price, since: crossing.time, waits });
        } else if (!hasEnded(alert, now)) this.put({ ...alert, waits });
        if (isKnown && hasEnded(alert, now) && hasEnded(alert, until)) this.over.push(alert.id);
      }
    }
    this.stale = false;
  }

  private async missedSince(
    alert: AlertState,
    range: PriceRange | undefined,
    until: UnixMs,
  ): Promise<Missed> {
    const { market } = this.options;
    const { waits } = alert;
    const untouched = { crossing: undefined, waits };
    if (!range) return untouched;
    if (isMoving(alert)) {
      return isOutOfReach(alert, range, until) ? untouched : missedMoving(market, alert, until);
    }
    const isBetween =
      waits !== '' &&
      !isCrossed(alert.price, waits, toPrice(range.low)) &&
      !isCrossed(alert.price, waits, toPrice(range.high));
    return isBetween ? untouched : missedBy(market, alert, until);
  }

  async settle(work: UnitOfWork): Promise<void> {
    const { missed, over } = this;
    if (missed.length === 0 && over.length === 0) return;
    this.missed = [];
    this.over = [];
    await this.fire(work, missed);
    if (over.length === 0) return;
    // Otherwise each load would search the prices since they were set again.
    await work.tx.update(alerts).set({ ended: true }).where(isAnyOf(alerts.id, over));
  }

  applyTick(tick: Tick): boolean {
    const { instrumentId, price, time } = tick;
    const moving = this.applyToMoving(tick);
    const levels = this.levels.get(instrumentId);
    if (!levels?.isNear(price)) return moving;
    const exact = toPrice(price);
    for (const { alert, waits } of levels.leftAt(exact)) this.move({ ...alert, waits });
    let due = moving;
    for (const alert of levels.crossedAt(exact)) {
      if (hasEnded(alert, this.options.now())) this.drop(alert);
      else if (isPausing(alert, time))
        this.move({ ...alert, waits: waitingAt(alert.price, exact) });
      else due = true;
    }
    return due;
  }

  private applyToMoving({ instrumentId, price, time }: Tick): boolean {
    const moving = this.moving.get(instrumentId);
    if (!moving) return false;
    moving.open(price, time);
    if (!moving.isNear(price, time)) return false;
    let due = false;
    for (const { alert, waits, crosses } of moving.movedAt(price, time)) {
      if (hasEnded(alert, this.options.now()) || isOver(alert, time)) this.drop(alert);
      else if (!crosses || isPausing(alert, time)) this.move({ ...alert, waits });
      else due = true;
    }
    return due;
  }

  async trigger(work: UnitOfWork, { instrumentId, price, time }: Tick): Promise<void> {
    const exact = toPrice(price);
    const crossed = this.levels.get(instrumentId)?.crossedAt(exact) ?? [];
    const moved = this.moving.get(instrumentId)?.movedAt(price, time) ?? [];
    await this.fire(work, [
      ...crossed.map((alert) => ({
        alert,
        price: exact,
        since: time,
        waits: waitingAt(alert.price, exact),
      })),
      ...moved
        .filter(({ crosses }) => crosses)
        .map(({ alert, waits }) => ({ alert, price: exact, since: time, waits })),
    ]);
  }

  /** Those that wait on something that no tick judges, as they are committed. Drops those that have ended. */
  apartOf(kind: 'indicator' | 'margin'): ReadonlyMap<number, AlertState> {
    const waiting = this.apart[kind];
    const now = this.options.now();
    for (const alert of waiting.values()) if (hasEnded(alert, now)) this.drop(alert);
    return waiting;
  }

  /** Learns what the changes of an instrument count from. Between two batches of ticks. */
  async prepare(instrumentId: number): Promise<void> {
    const known = this.moving.get(instrumentId);
    if (known?.openings) return;
    const { market } = this.options;
    const first = async (period: '60min' | '1day') => {
      const [bar] = await market.bars(instrumentId, period, 1);
      return bar && { start: millisecondOf(bar.time), price: bar.open };
    };
    const [hour, day] = [await first('60min'), await first('1day')];
    if (hour && day) this.movingOf(instrumentId).openings = { hour, day };
  }

  /** The level of an alert at a time, where it moves. */
  levelOf(
    alert: Pick<MovingAlert, 'condition' | 'instrumentId'>,
    time: UnixMs,
  ): number | undefined {
    return movingLevel(alert, time, this.moving.get(alert.instrumentId)?.openings);
  }

  /** Sides that have changed without a crossing, of those that no tick judges. */
  async moveApart(work: UnitOfWork, moved: readonly AlertState[]): Promise<void> {
    work.onRollback(() => this.forget());
    for (const alert of moved) {
      await work.tx.update(alerts).set({ waits: alert.waits }).where(eq(alerts.id, alert.id));
      if (this.waiting.has(alert.id)) this.put(alert);
    }
  }

  get hasMoved(): boolean {
    return this.moved.size > 0;
  }

  async savePosition(tx: Tx): Promise<void> {
    if (this.stale) return;
    const bySide = new Map<AlertState['waits'], number[]>();
    for (const id of this.moved) {
      const alert = this.waiting.get(id);
      if (alert) getOrInsert(bySide, alert.waits, () => []).push(id);
    }
    for (const [waits, ids] of bySide) {
      await tx.update(alerts).set({ waits }).where(isAnyOf(alerts.id, ids));
    }
  }

  positionSaved(): void {
    this.moved.clear();
  }

  /** Watches an alert that is committed. */
  watch(alert: AlertState): void {
    if (!this.stale) this.put(alert);
  }

  /** Watches an alert no longer. */
  unwatch(id: number): void {
    const alert = this.waiting.get(id);
    if (alert) this.drop(alert);
    this.missed = this.missed.filter((crossing) => crossing.alert.id !== id);
  }

  /**
   * Writes crossings with their notices, and returns the alerts as they are then. Alerts that were
   * deleted meanwhile have none.
   */
  async fire(work: UnitOfWork, crossings: readonly Crossing[]): Promise<AlertState[]> {
    const { now, onTrigger, outbox } = this.options;
    work.onRollback(() => this.forget());
    const triggeredAt = now();
    const fired = crossings.map(
      ({ alert, price, since, waits, from }): AlertState => ({
        ...alert,
        ...{ waits, since, triggeredAt, triggerPrice: price },
        above: from ? from === 'rise' : alert.waits === '' ? alert.above : alert.waits === 'rise',
        ended: !alert.repeat,
      }),
    );
    const alike = new Map<string, AlertState[]>();
    for (const alert of fired) {
      const { waits, since, triggerPrice, above, ended } = alert;
      const change = JSON.stringify([waits, since, toText(triggerPrice), above, ended]);
      getOrInsert(alike, change, () => []).push(alert);
    }
    for (const group of alike.values()) {
      const [one] = group as [AlertState, ...AlertState[]];
      const { waits, since, above, ended } = one;
      const price = toText(one.triggerPrice);
      const written = await work.tx
        .update(alerts)
        .set({
          ...{ waits, above, ended, triggerPrice: price },
          since: new Date(since),
          triggeredAt: new Date(triggeredAt),
        })
        .where(
          and(
            isAnyOf(
              alerts.id,
              group.map(({ id }) => id),
            ),
            not(alerts.ended),
          ),
        )
        .returning({ id: alerts.id });
      const ids = new Set(written.map(({ id }) => id));
      const told = group.filter(({ id }) => ids.has(id));
      await outbox.write(
        work,
        told.map(({ id, userId, code }) => ({ userId, kind: 'alerts', subject: id, code, price })),
        triggeredAt,
      );
      for (const alert of group) {
        const former = this.waiting.get(alert.id);
        if (former) this.drop(former);
        if (!alert.ended && ids.has(alert.id)) this.put(alert);
      }
      work.onCommit(() => {
        for (const alert of told) onTrigger(alert);
      });
    }
    return fired;
  }

  private put(alert: AlertState): void {
    const former = this.waiting.get(alert.id);
    if (former) this.drop(former);
    this.waiting.set(alert.id, alert);
    const { kind } = alert.condition;
    if (kind === 'indicator' || kind === 'margin') this.apart[kind].set(alert.id, alert);
    else if (isMoving(alert)) this.movingOf(alert.instrumentId).put(alert);
    else getOrInsert(this.levels, alert.instrumentId, () => new AlertLevels()).add(alert);
  }

  private movingOf(instrumentId: number): MovingLevels {
    return getOrInsert(this.moving, instrumentId, () => new MovingLevels());
  }

  private drop(alert: AlertState): void {
    this.waiting.delete(alert.id);
    this.moved.delete(alert.id);
    const { kind } = alert.condition;
    if (kind === 'indicator' || kind === 'margin') this.apart[kind].delete(alert.id);
    // It may come back, and keeps its openings for that.
    this.moving.get(alert.instrumentId)?.delete(alert.id);
    const levels = this.levels.get(alert.instrumentId);
    levels?.delete(alert);
    if (levels?.isEmpty) this.levels.delete(alert.instrumentId);
  }

  private move(alert: AlertState): void {
    this.put(alert);
    this.moved.add(alert.id);
  }
}

function hasEnded({ until }: AlertState, at: UnixMs): boolean {
  return until !== undefined && at >= until;
}

/** Whether a repeating alert has triggered too short a time ago to do so at `time`, on the feed's clock. */
export function isPausing({ repeat, triggeredAt, since }: AlertState, time: UnixMs): boolean {
  return repeat && triggeredAt !== undefined && timeBetween(since, time) < ALERT_PAUSE_MS;
}

/** Whether no price of this range can have met the level since. */
function isOutOfReach(alert: MovingAlert, { low, high }: PriceRange, until: UnixMs): boolean {
  if (alert.condition.kind !== 'line' || alert.waits === '') return false;
  const levels = [movingLevel(alert, alert.since, undefined), movingLevel(alert, until, undefined)];
  return levels.every(
    (level) => level !== undefined && (alert.waits === 'rise' ? high < level : low > level),
  );
}
