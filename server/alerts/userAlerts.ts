import { and, desc, eq, gt, inArray, isNull, not, or, type SQL } from 'drizzle-orm';
import type { AlertPageRow } from '#domain/api/alerts';
import { isZero, toNumber, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { marginLevel } from '#domain/trading/accountSummary';
import { alertProblem, isCrossed, type Waiting, waitingAt } from '#domain/trading/alert';
import { alertEnd, type Condition, conditionParams, sideOf } from '#domain/trading/condition';
import type { Db } from '../db/database';
import { selectPage } from '../db/page';
import { alerts } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Market } from '../market/market';
import type { MatchingEngine } from '../trading/matchingEngine';
import { type AlertState, fromRecord } from './alertState';
import type { AlertWatch } from './alertWatch';
import { crossesTo, isMoving } from './movingLevels';
import { alertRow } from './rows';

/** An alert as a user asks for it. */
export interface NewAlert {
  /** 0 where it is on the margin level. */
  instrumentId: number;
  condition: Condition;
  /** 0 where it is not on a price. */
  price: Price;
  /** The price that the user saw; 0: unknown. */
  quote: Price;
  repeat: boolean;
  note: string;
  until: UnixMs | undefined;
}

/** What an alert on the margin level has in place of one: percent with two decimals. */
const NO_INSTRUMENT = { id: 0, code: '', precision: 2 };

/** Most alerts of a user that are kept once they no longer wait. */
const MOST_PAST = 500;

/** The alerts of users: adds, lists and deletes them. */
export class UserAlerts {
  private readonly db: Db;
  private readonly market: Market;
  private readonly watch: AlertWatch;
  private readonly now: () => UnixMs;
  /** Undefined before the start. */
  engine: Pick<MatchingEngine, 'load' | 'openOrders'> | undefined;

  constructor(db: Db, market: Market, watch: AlertWatch, now: () => UnixMs) {
    this.db = db;
    this.market = market;
    this.watch = watch;
    this.now = now;
  }

  /** Adds an alert. One whose level the present price has crossed triggers immediately. */
  async add(work: UnitOfWork, userId: number, asked: NewAlert): Promise<AlertState> {
    const { condition, price: level, repeat, note, until } = asked;
    const { kind } = condition;
    const instrument =
      kind === 'margin'
        ? NO_INSTRUMENT
        : this.market.instruments.find(({ id }) => id === asked.instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    const now = this.now();
    const { code, precision } = instrument;
    const waiting = await work.tx.$count(alerts, this.waitingOf(userId));
    const ends = alertEnd(condition, until, { market: this.market.now(), now });
    const problem = alertProblem({ ...asked, kind, until: ends }, { precision, waiting, now });
    if (problem) throw Refusal.ofRule(problem.message);
    const latest = this.market.quote(instrument.id);
    const present = latest && toPrice(latest.price);
    const seen = isZero(asked.quote) ? present : asked.quote;
    const isOfPrices = kind !== 'margin' && kind !== 'indicator';
    if (isOfPrices && !seen) throw Refusal.ofRule({ key: 'noPrice' });
    if (kind === 'percent') await this.watch.prepare(instrument.id);
    // What was rolled back does not count.
    if (kind === 'margin') await this.engine?.load(work.db);
    const since = (isOfPrices && latest?.time) || this.market.now();
    const waits = this.sideOf(userId, asked, seen);
    const [record] = await work.tx
      .insert(alerts)
      .values({
        ...{ userId, feed: this.market.feed, instrumentId: instrument.id, code, precision },
        ...{ kind, params: conditionParams(condition) },
        ...{ price: kind === 'price' ? toText(level) : '0', waits },
        ...{ above: firstAbove(condition, waits), repeat, note, ended: false },
        ...{ until: ends === undefined ? null : new Date(ends), createdAt: new Date(now) },
        since: new Date(since),
      })
      .returning();
    const added = fromRecord(record as NonNullable<typeof record>);
    const moved = present && this.sideOf(userId, asked, present);
    const isReached =
      kind === 'price'
        ? waits === '' || (present && isCrossed(level, waits, present))
        : moved !== undefined && isMoving(added) && crossesTo(added, moved);
    await this.forgetOld(work, userId);
    if (!isReached) {
      work.onCommit(() => this.watch.watch(added));
      return added;
    }
    const price = present ?? (seen as Price);
    const crossing = { alert: added, price, since: added.since, waits: moved ?? '' };
    const [fired = added] = await this.watch.fire(work, [crossing]);
    return fired;
  }

  /** On which side of its level an alert stands at a price, or its account does; `''` where neither decides. */
  private sideOf(userId: number, asked: NewAlert, price: Price | undefined): Waiting {
    const { condition, instrumentId } = asked;
    if (condition.kind === 'margin') {
      const account = this.engine?.openOrders.account(userId);
      const present = account && marginLevel(account);
      return sideOf(condition.level, present && toNumber(present));
    }
    if (condition.kind === 'indicator' || !price) return '';
    if (condition.kind === 'price') return waitingAt(asked.price, price);
    const level = this.watch.levelOf({ condition, instrumentId }, this.market.now());
    return sideOf(level, toNumber(price));
  }

  /** Deletes a waiting or a past alert. */
  async delete(work: UnitOfWork, userId: number, id: number): Promise<void> {
    const own = and(eq(alerts.id, id), eq(alerts.userId, userId));
    const deleted = await work.tx.delete(alerts).where(own).returning({ id: alerts.id });
    if (deleted.length === 0) throw new Refusal(CODE_REFUSED, 'server.alertUnknown');
    work.onCommit(() => this.watch.unwatch(id));
  }

  async page(userId: number, past: boolean, page: number): Promise<AlertPageRow> {
    const waiting = this.waitingOf(userId);
    const own = eq(alerts.userId, userId);
    const condition = past ? and(own, not(this.isWaiting())) : waiting;
    const { rows, total } = await selectPage(this.db, alerts, condition, page, alerts.createdAt);
    const data = rows.map((record) => {
      const alert = fromRecord(record);
      const { kind } = alert.condition;
      // Of these two the direction is part of the condition.
      const isFixed = past || alert.waits === '' || kind === 'percent' || kind === 'indicator';
      return alertRow(alert, isFixed ? alert.above : alert.waits === 'rise');
    });
    return { data, total };
  }

  private waitingOf(userId: number) {
    return and(eq(alerts.userId, userId), this.isWaiting());
  }

  private isWaiting() {
    const lasting = or(isNull(alerts.until), gt(alerts.until, new Date(this.now()))) as SQL;
    return and(not(alerts.ended), lasting) as SQL;
  }

  private async forgetOld(work: UnitOfWork, userId: number): Promise<void> {
    const past = and(eq(alerts.userId, userId), not(this.isWaiting()));
    const old = work.tx
      .select({ id: alerts.id })
      .from(alerts)
      .where(past)
      .orderBy(desc(alerts.createdAt), desc(alerts.id))
      .offset(MOST_PAST);
    const gone = await work.tx
      .delete(alerts)
      .where(inArray(alerts.id, old))
      .returning({ id: alerts.id });
    // One that has ended is in memory until a price crosses it.
    work.onCommit(() => {
      for (const { id } of gone) this.watch.unwatch(id);
    });
  }
}

/** Whether the first crossing is expected upwards. */
function firstAbove(condition: Condition, waits: Waiting): boolean {
  if (condition.kind === 'percent') return condition.change > 0;
  return condition.kind === 'indicator' ? condition.cross !== 'down' : waits !== 'fall';
}
