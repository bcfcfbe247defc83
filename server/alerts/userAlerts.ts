import { and, desc, eq, gt, inArray, isNull, not, or, type SQL } from 'drizzle-orm';
import type { AlertPageRow } from '#domain/api/alerts';
import { isZero, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { alertProblem, isCrossed, waitingAt } from '#domain/trading/alert';
import type { Db } from '../db/database';
import { selectPage } from '../db/page';
import { alerts } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Market } from '../market/market';
import { type AlertState, fromRecord } from './alertState';
import type { AlertWatch } from './alertWatch';
import { alertRow } from './rows';

/** An alert as a user asks for it. */
export interface NewAlert {
  instrumentId: number;
  price: Price;
  /** The price that the user saw; 0: unknown. */
  quote: Price;
  repeat: boolean;
  note: string;
  until: UnixMs | undefined;
}

/** Most alerts of a user that are kept once they no longer wait. */
const MOST_PAST = 500;

/** The alerts of users: adds, lists and deletes them. */
export class UserAlerts {
  private readonly db: Db;
  private readonly market: Market;
  private readonly watch: AlertWatch;
  private readonly now: () => UnixMs;

  constructor(db: Db, market: Market, watch: AlertWatch, now: () => UnixMs) {
    this.db = db;
    this.market = market;
    this.watch = watch;
    this.now = now;
  }

  /** Adds an alert. One whose level the present price has crossed triggers immediately. */
  async add(work: UnitOfWork, userId: number, asked: NewAlert): Promise<AlertState> {
    const instrument = this.market.instruments.find(({ id }) => id === asked.instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    const { price: level, repeat, note, until } = asked;
    const now = this.now();
    const { code, precision } = instrument;
    const waiting = await work.tx.$count(alerts, this.waitingOf(userId));
    const problem = alertProblem(asked, { precision, waiting, now });
    if (problem) throw Refusal.ofRule(problem.message);
    const latest = this.market.quote(instrument.id);
    const present = latest && toPrice(latest.price);
    const seen = isZero(asked.quote) ? present : asked.quote;
    if (!seen) throw Refusal.ofRule({ key: 'noPrice' });
    const waits = waitingAt(level, seen);
    const [record] = await work.tx
      .insert(alerts)
      .values({
        ...{ userId, feed: this.market.feed, instrumentId: instrument.id, code, precision },
        ...{ price: toText(level), waits, above: waits !== 'fall', repeat, note, ended: false },
        ...{ until: until === undefined ? null : new Date(until), createdAt: new Date(now) },
        since: new Date(latest?.time ?? this.market.now()),
      })
      .returning();
    const added = fromRecord(record as NonNullable<typeof record>);
    const isReached = waits === '' || (present && isCrossed(level, waits, present));
    if (!isReached) {
      work.onCommit(() => this.watch.watch(added));
      return added;
    }
    await this.forgetOld(work, userId);
    const price = present ?? seen;
    const crossing = { alert: added, price, since: added.since, waits: waitingAt(level, price) };
    const [fired = added] = await this.watch.fire(work, [crossing]);
    return fired;
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
      return alertRow(alert, past || alert.waits === '' ? alert.above : alert.waits === 'rise');
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
    await work.tx.delete(alerts).where(inArray(alerts.id, old));
  }
}
