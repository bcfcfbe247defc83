import {
  earliest,
  latest,
  millisecondOf,
  secondOf,
  startOfStep,
  timeAfter,
  timeBefore,
  timeBetween,
  toDurationMs,
  type UnixMs,
} from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import { barEnd, sourcePeriod } from '#domain/market/kline';
import { conditionParams, type IndicatorCondition } from '#domain/trading/condition';
import { BAR_LATE_MS, barCrossings, barsNeeded } from '#domain/trading/indicatorCrossings';
import type { Clock } from '../core/clock';
import { getOrInsert } from '../core/getOrInsert';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import { isAnyOf } from '../db/isAnyOf';
import { alerts } from '../db/schema';
import type { Transactions } from '../db/transactions';
import type { Market } from '../market/market';
import type { AlertState } from './alertState';
import { type AlertWatch, isPausing } from './alertWatch';

export interface BarWatchOptions {
  market: Market;
  transactions: Transactions;
  clock: Clock;
  log: Log;
  watch: AlertWatch;
}

const EVERY_MS = toDurationMs(1000);
/** How far the bars are judged is written at least this often: a restart judges the rest again. */
const SAVED_EVERY_MS = toDurationMs(600_000);
const MINUTE = toDurationMs(60_000);

/**
 * Judges alerts on indicators when bars close (domain.md#conditions). Crossings follow from the market's past alone, so
 * nothing is lost by judging them after the ticks, and what a killed process has not written the next one finds (D173).
 */
export class BarWatch {
  private readonly options: BarWatchOptions;
  private readonly task: RepeatedTask;
  /** Up to where each alert is judged, by the market's clock. */
  private readonly judged = new Map<number, UnixMs>();
  /** The end of the last minute that is complete. */
  private readonly closed = new Map<number, UnixMs>();
  private savedAt: UnixMs;

  constructor(options: BarWatchOptions) {
    const { clock, log, market } = options;
    this.options = options;
    this.savedAt = clock.now();
    this.task = new RepeatedTask({
      name: 'alerts on indicators',
      every: EVERY_MS,
      clock,
      log,
      run: () => this.look(),
    });
    market.listen({
      ticks() {},
      status() {},
      barClosed: (instrumentId, bar) => {
        this.closed.set(instrumentId, millisecondOf(barEnd('1min', bar.time)));
      },
    });
  }

  start(): void {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    await this.save();
  }

  /** Judges every bar that has closed. */
  async look(): Promise<void> {
    const { watch } = this.options;
    if (watch.isStale) return;
    const waiting = watch.apartOf('indicator');
    const groups = new Map<string, AlertState[]>();
    for (const alert of waiting.values()) {
      const condition = conditionOf(alert);
      const next = millisecondOf(barEnd(condition.period, secondOf(this.judgedOf(alert))));
      const until = this.closedUntil(alert.instrumentId);
      if (until === undefined || next > until) continue;
      const name = `${alert.instrumentId} ${conditionParams(condition)}`;
      getOrInsert(groups, name, () => []).push(alert);
    }
    for (const group of groups.values()) {
      await this.judge(group);
      // Ticks and calls come between two of them.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (timeBetween(this.savedAt, this.options.clock.now()) >= SAVED_EVERY_MS) await this.save();
    for (const id of this.judged.keys()) if (!waiting.has(id)) this.judged.delete(id);
  }

  private judgedOf(alert: AlertState): UnixMs {
    return latest(alert.since, this.judged.get(alert.id) ?? alert.since);
  }

  /** Undefined where no bar is known to be complete. */
  private closedUntil(instrumentId: number): UnixMs | undefined {
    const { market } = this.options;
    const closed = this.closed.get(instrumentId);
    // The bars of a halt or of a gap are there once it is over, and are judged then.
    if (market.quote(instrumentId)?.closedReason) return closed;
    const over = timeBefore(market.now(), BAR_LATE_MS);
    return latest(over, closed ?? over);
  }

  /** Judges alerts of one instrument on one condition. */
  private async judge(group: readonly AlertState[]): Promise<void> {
    const [one] = group as [AlertState, ...AlertState[]];
    const { market, transactions, watch } = this.options;
    const condition = conditionOf(one);
    const until = this.closedUntil(one.instrumentId);
    // A halt has begun.
    if (until === undefined) return;
    const since = group.map((alert) => this.judgedOf(alert)).reduce((a, b) => earliest(a, b));
    const bars = await market.bars(
      one.instrumentId,
      sourcePeriod(condition.period),
      barsNeeded(condition, since, until),
      secondOf(timeAfter(until, toDurationMs(999))),
    );
    const crossings = barCrossings(condition, bars, since, until);
    const due = group.flatMap((alert) => {
      const after = this.judgedOf(alert);
      const crossing = crossings.find(({ time }) => time > after && !isPausing(alert, time));
      return crossing ? [{ id: alert.id, crossing }] : [];
    });
    if (due.length > 0) {
      await transactions.run(async (work) => {
        if (watch.isStale) return;
        const waiting = watch.apartOf('indicator');
        const present = due.flatMap(({ id, crossing: { time, price, from } }) => {
          const alert = waiting.get(id);
          // It has ended or was deleted meanwhile.
          if (!alert) return [];
          return [{ alert, from, price: toPrice(price), since: time, waits: '' as const }];
        });
        await watch.fire(work, present);
      });
    }
    if (watch.isStale) return;
    const fired = new Map(due.map(({ id, crossing }) => [id, crossing.time]));
    for (const alert of group) {
      this.judged.set(alert.id, fired.get(alert.id) ?? latest(until, this.judgedOf(alert)));
    }
  }

  /** Writes up to where the bars are judged. */
  private async save(): Promise<void> {
    const { clock, transactions, watch } = this.options;
    this.savedAt = clock.now();
    if (watch.isStale) return;
    const byTime = new Map<UnixMs, number[]>();
    for (const alert of watch.apartOf('indicator').values()) {
      // Whole minutes: the next bar ends a minute later, after the pause of an alert that repeats.
      const time = startOfStep(this.judgedOf(alert), MINUTE);
      if (time > alert.since) getOrInsert(byTime, time, () => []).push(alert.id);
    }
    if (byTime.size === 0) return;
    await transactions.run(async ({ tx }) => {
      for (const [time, ids] of byTime)
        await tx
          .update(alerts)
          .set({ since: new Date(time) })
          .where(isAnyOf(alerts.id, ids));
    });
  }
}

function conditionOf({ condition }: AlertState): IndicatorCondition {
  if (condition.kind !== 'indicator') throw new Error('no indicator');
  return condition;
}
