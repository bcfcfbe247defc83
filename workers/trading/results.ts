import type { Period } from '#domain/core/calendar';
import { compare } from '#domain/core/decimal';
import { failed, type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import { accountBalance } from '#domain/trading/accountSummary';
import { realised } from '#domain/trading/profit';
import {
  GROUPINGS,
  type Grouping,
  groupsBy,
  isTrade,
  largestDrawdown,
  type ResultGroup,
  type Trade,
} from '#domain/trading/results';
import {
  type AccountParts,
  balanceCurve,
  type Movement,
  movementKind,
  statementBalance,
  statementOf,
  thinned,
} from '#domain/wallet/statement';
import type {
  Results as ResultsAnswer,
  StatementAnswer,
  TradingWorkerApi,
} from '#domain/worker/trading';
import type { Session } from '../account/session';
import type { ConnectionTracker } from '../connection/connectionTracker';
import type { LatestRun } from '../core/latestRun';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';
import { balances } from '../http/trading';
import type { History } from './history';
import type { OpenOrders } from './openOrders';
import { createRecords } from './records';

/** Pages of orders that one call fetches at most, so that a long history shows its first results soon. */
const ORDER_PAGES = 2;
/** Attempts to read balance, orders and records of the same moment. */
const MOST_TRIES = 5;
/** Parts of the curve, each of up to four points: about as many as a phone has pixels. */
const CURVE_PARTS = 90;

export interface ResultsOptions {
  clock: Clock;
  http: Http;
  session: Session;
  history: History;
  fetchOpenOrders: LatestRun<Result<void>>;
  openOrders: OpenOrders;
  tracker: Pick<ConnectionTracker, 'current' | 'marketTime'>;
}

/** The results and statements of the user (domain.md#results). */
export interface Results {
  calls: Pick<TradingWorkerApi, 'results' | 'statement'>;
  clear(): void;
}

interface Known {
  complete: boolean;
  loaded: number;
  /** Newest first, since the beginning of the period and some before. */
  trades: Trade[];
  movements: Movement[];
  parts: AccountParts;
  now: UnixMs;
}

export function createResults(options: ResultsOptions): Results {
  const { clock, http, session, history, fetchOpenOrders, openOrders, tracker } = options;
  const records = createRecords(http, clock.now);
  let life = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();

  /** The parts of the account, and the newest orders and records, all of one moment. */
  async function moment(signal: AbortSignal): Promise<Result<AccountParts>> {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const before = await balances(http, signal);
      if (!before.ok) return before;
      const found = await Promise.all([
        fetchOpenOrders(),
        history.newest(),
        records.refresh(signal),
      ]);
      const failure = found.find((result) => !result.ok);
      const { fees: openFees, swap: openSwap } = realised(openOrders.of('holding'));
      if (signal.aborted) return failed({ kind: 'cancelled' });
      if (failure && !failure.ok) {
        // The list was cancelled for a newer one.
        if (failure.failure.kind === 'cancelled') continue;
        return failure;
      }
      const after = await balances(http, signal);
      if (!after.ok) return after;
      const same =
        compare(before.data.balance, after.data.balance) === 0 &&
        compare(before.data.marginInUse, after.data.marginInUse) === 0;
      if (same) return success({ balance: accountBalance(after.data), openFees, openSwap });
    }
    return failed({ kind: 'transport', code: 'ERR_LIST_SHIFTS' });
  }

  /** Loads more of what a period needs. */
  async function load({ from }: Period, signal: AbortSignal): Promise<Result<Known>> {
    const parts = await moment(signal);
    if (!parts.ok) return parts;
    const orders = await history.since(from, ORDER_PAGES);
    if (!orders.ok) return orders;
    const trades = orders.data.orders.filter(isTrade);
    const known = { trades, parts: parts.data, loaded: orders.data.orders.length };
    const now = tracker.marketTime?.until ?? clock.now();
    // Records have the time of today, in which a recording's orders are not: they count before all of these.
    if (tracker.current.recorded)
      return success({ ...known, now, complete: orders.data.complete, movements: [] });
    const reached = await records.reach(from, signal);
    if (!reached.ok) return reached;
    const movements = records.rows.flatMap(({ id, createdAt: time, value, type, text }) => {
      const kind = movementKind(type);
      return kind && time >= from ? [{ id, time, value, kind, text }] : [];
    });
    return success({
      ...known,
      now,
      complete: orders.data.complete && reached.data,
      loaded: known.loaded + records.rows.length,
      movements,
    });
  }

  /** One call after another; a user who logs out meanwhile gets nothing of the former one's. */
  async function inTurn<T>(period: Period, answer: (known: Known) => T): Promise<Result<T>> {
    await session.ready;
    if (!session.token) return failed({ kind: 'signed-out' });
    const { signal } = life;
    const known = turn.then(() => load(period, signal));
    turn = known;
    const result = await known;
    if (signal.aborted) return failed({ kind: 'cancelled' });
    return result.ok ? success(answer(result.data)) : result;
  }

  function statement(period: Period, known: Known) {
    const since = known.trades.filter(({ completedAt }) => completedAt >= period.from);
    return statementOf(period, statementBalance(known.parts), since, known.movements);
  }

  return {
    calls: {
      results: (period) =>
        inTurn(period, (known): ResultsAnswer => {
          const found = statement(period, known);
          const newestFirst = [...found.trades].reverse();
          const groups = GROUPINGS.map((by) => [by, groupsBy(by, newestFirst)] as const);
          const { complete, loaded, now } = known;
          const { opening, closing, totals } = found;
          return {
            complete,
            loaded,
            totals,
            drawdown: largestDrawdown(found.trades),
            groups: Object.fromEntries(groups) as Record<Grouping, ResultGroup[]>,
            balance: complete
              ? { opening, closing, curve: thinned(balanceCurve(found, now), CURVE_PARTS) }
              : undefined,
          };
        }),
      statement: (period) =>
        inTurn(period, (known): StatementAnswer => {
          const { complete, loaded, now, parts } = known;
          return {
            complete,
            loaded,
            statement: complete ? statement(period, known) : undefined,
            parts: complete && period.until > now ? parts : undefined,
          };
        }),
    },
    clear() {
      life.abort();
      life = new AbortController();
      records.clear();
    },
  };
}
