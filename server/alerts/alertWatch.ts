import { and, asc, eq, inArray, not } from 'drizzle-orm';
import { toText } from '#domain/core/decimal';
import { earliest, timeAfter, timeBetween, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { ALERT_PAUSE_MS, isCrossed, waitingAt } from '#domain/trading/alert';
import { getOrInsert } from '../core/getOrInsert';
import type { Db, Tx } from '../db/database';
import { alerts } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Market, Tick } from '../market/market';
import type { Outbox } from '../push/outbox';
import type { TickWatch } from '../trading/tickWatch';
import { AlertLevels } from './alertLevels';
import { type AlertState, fromRecord } from './alertState';
import { missedBy } from './missedCrossing';

export interface AlertWatchOptions {
  market: Market;
  outbox: Pick<Outbox, 'write'>;
  /** The wall clock. */
  now(): UnixMs;
  /** Called after the commit for each alert that has triggered, as it was when it did. */
  onTrigger(alert: AlertState): void;
}

/** An alert and the crossing that triggers it. */
interface Crossing {
  alert: AlertState;
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
  private readonly waiting = new Map<number, AlertState>();
  /** Sides that have changed since they were last written. */
  private readonly moved = new Set<number>();
  /** Crossings while nothing was judged, not yet written. */
  private missed: Crossing[] = [];
  private stale = true;

  constructor(options: AlertWatchOptions) {
    this.options = options;
    this.idByCode = new Map(options.market.instruments.map(({ code, id }) => [code, id]));
  }

  get isDue(): boolean {
    return this.stale || this.missed.length > 0;
  }

  forget(): void {
    this.stale = true;
  }

  async load(db: Db, due: ReadonlyMap<number, UnixMs>): Promise<void> {
    if (!this.stale) return;
    const { market, now } = this.options;
    const records = await db
      .select()
      .from(alerts)
      .where(and(eq(alerts.feed, market.feed), not(alerts.ended)))
      .orderBy(asc(alerts.id));
    this.levels.clear();
    this.waiting.clear();
    this.moved.clear();
    this.missed = [];
    const byInstrument = new Map<number, AlertState[]>();
    for (const record of records) {
      const instrumentId = this.idByCode.get(record.code);
      if (instrumentId === undefined) continue;
      const listed = getOrInsert(byInstrument, instrumentId, () => []);
      listed.push({ ...fromRecord(record), instrumentId });
    }
    for (const [instrumentId, listed] of byInstrument) {
      const until = due.get(instrumentId) ?? timeAfter(market.now(), MILLISECOND);
      const since = listed.map((alert) => alert.since).reduce((a, b) => earliest(a, b));
      const range = await market.priceRange(instrumentId, since, until);
      for (const alert of listed) {
        const untouched =
          !range ||
          (alert.waits !== '' &&
            !isCrossed(alert.price, alert.waits, toPrice(range.low)) &&
            !isCrossed(alert.price, alert.waits, toPrice(range.high)));
        const { crossing, waits } = untouched
          ? { crossing: undefined, waits: alert.waits }
          : await missedBy(market, alert, until);
        if (crossing && !hasEnded(alert, crossing.time)) {
          this.put(alert);
          this.missed.push({ alert, price: crossing.price, since: crossing.time, waits });
        } else if (!hasEnded(alert, now())) this.put({ ...alert, waits });
      }
    }
    this.stale = false;
  }

  async settle(work: UnitOfWork): Promise<void> {
    const { missed } = this;
    if (missed.length === 0) return;
    this.missed = [];
    await this.fire(work, missed);
  }

  applyTick({ instrumentId, price, time }: Tick): boolean {
    const levels = this.levels.get(instrumentId);
    if (!levels?.isNear(price)) return false;
    const exact = toPrice(price);
    for (const { alert, waits } of levels.leftAt(exact)) this.move({ ...alert, waits });
    let due = false;
    for (const alert of levels.crossedAt(exact)) {
      if (hasEnded(alert, this.options.now())) this.drop(alert);
      else if (isPausing(alert, time))
        this.move({ ...alert, waits: waitingAt(alert.price, exact) });
      else due = true;
    }
    return due;
  }

  async trigger(work: UnitOfWork, { instrumentId, price, time }: Tick): Promise<void> {
    const exact = toPrice(price);
    const crossed = this.levels.get(instrumentId)?.crossedAt(exact) ?? [];
    await this.fire(
      work,
      crossed.map((alert) => ({
        alert,
        price: exact,
        since: time,
        waits: waitingAt(alert.price, exact),
      })),
    );
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
      await tx.update(alerts).set({ waits }).where(inArray(alerts.id, ids));
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
      ({ alert, price, since, waits }): AlertState => ({
        ...alert,
        ...{ waits, since, triggeredAt, triggerPrice: price },
        above: alert.waits === '' ? alert.above : alert.waits === 'rise',
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
            inArray(
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
    getOrInsert(this.levels, alert.instrumentId, () => new AlertLevels()).add(alert);
  }

  private drop(alert: AlertState): void {
    this.waiting.delete(alert.id);
    this.moved.delete(alert.id);
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
function isPausing({ repeat, triggeredAt, since }: AlertState, time: UnixMs): boolean {
  return repeat && triggeredAt !== undefined && timeBetween(since, time) < ALERT_PAUSE_MS;
}
