import { toNumber } from '#domain/core/decimal';
import { toDurationMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import { marginLevel } from '#domain/trading/accountSummary';
import { sideOf } from '#domain/trading/condition';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Transactions } from '../db/transactions';
import type { Market } from '../market/market';
import type { MatchingEngine } from '../trading/matchingEngine';
import type { AlertState } from './alertState';
import { type AlertWatch, type Crossing, isPausing } from './alertWatch';

export interface MarginAlertsOptions {
  market: Pick<Market, 'now'>;
  transactions: Transactions;
  clock: Clock;
  log: Log;
  watch: AlertWatch;
  engine: Pick<MatchingEngine, 'load' | 'openOrders'>;
}

/** Prices move far more often than anybody can be told. */
const EVERY_MS = toDurationMs(1000);

/** Judges alerts on the margin level once a second, as warnings are (domain.md#conditions). */
export class MarginAlerts {
  private readonly options: MarginAlertsOptions;
  private readonly task: RepeatedTask;

  constructor(options: MarginAlertsOptions) {
    const { clock, log } = options;
    this.options = options;
    this.task = new RepeatedTask({
      name: 'alerts on the margin level',
      every: EVERY_MS,
      clock,
      log,
      run: () => this.look(),
    });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async look(): Promise<void> {
    const { engine, transactions, watch } = this.options;
    if (watch.isStale) return;
    if (![...watch.apartOf('margin').values()].some((alert) => this.moveOf(alert))) return;
    await transactions.run(async (work) => {
      if (watch.isStale) return;
      // What was rolled back does not count.
      await engine.load(work.db);
      const moves = [...watch.apartOf('margin').values()].flatMap(
        (alert) => this.moveOf(alert) ?? [],
      );
      const crossings = moves.flatMap(({ crossing }) => crossing ?? []);
      const moved = moves.flatMap(({ alert, crossing }) => (crossing ? [] : [alert]));
      await watch.moveApart(work, moved);
      await watch.fire(work, crossings);
    });
  }

  /** What has become of an alert; undefined where nothing has. */
  private moveOf(alert: AlertState): { alert: AlertState; crossing?: Crossing } | undefined {
    const { engine, market } = this.options;
    if (alert.condition.kind !== 'margin') return undefined;
    const account = engine.openOrders.account(alert.userId);
    const exact = account && marginLevel(account);
    const waits = sideOf(alert.condition.level, exact && toNumber(exact));
    if (waits === alert.waits) return undefined;
    const since = market.now();
    const isCrossing = alert.waits !== '' && exact !== undefined && !isPausing(alert, since);
    if (!isCrossing) return { alert: { ...alert, waits } };
    return { alert, crossing: { alert, price: toPrice(String(toNumber(exact))), since, waits } };
  }
}
