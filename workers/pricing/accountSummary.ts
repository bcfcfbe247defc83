import type { Balances } from '#domain/api/trading';
import { compare, type Decimal, toFixed, toText } from '#domain/core/decimal';
import { failed, type Result, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import {
  type AccountTotals,
  accountBalance,
  available,
  equity,
  marginLevel,
  riskRate,
} from '#domain/trading/accountSummary';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { AccountSummary } from '#domain/worker/trading';
import { type LatestRun, latestRun } from '../core/latestRun';
import type { Clock } from '../core/ports';
import { createRetry } from '../core/retry';

/** Show balance and orders as they are after they have disagreed for this long, ms. */
const PATIENCE_MS = toDurationMs(3000);

/** What the figures need to know of the open orders. */
interface OrdersState {
  readonly listed: boolean;
  /** Number of changes so far. */
  readonly events: number;
  readonly marginInUse: Usd;
}

export interface AccountSummaryOptions {
  clock: Clock;
  fetchBalances: (signal: AbortSignal) => Promise<Result<Balances>>;
  openOrders: OrdersState;
  /** Floating profit at the latest prices. */
  profit: () => Usd;
  /** As `AccountSummary.stopOutPrices`, at the latest prices. */
  stopOutPrices: (account: AccountTotals) => Readonly<Record<number, string>>;
  isSignedIn: () => boolean;
  changed: () => void;
  /** Orders and balance still disagree after a retry: the orders have to be fetched. */
  mismatch: () => void;
}

/**
 * The summary of the account (domain.md#account-summary). Balances come from the server, profits
 * are computed here; they are combined only when they are of the same orders: the newest of
 * each would show a loss or a profit that never existed.
 */
export interface LiveAccountSummary {
  /** Fetches the balances. `ordersChanged`: until they have come, the old figures stay. */
  refresh(ordersChanged?: boolean): Promise<Result<void>>;
  /** The open orders are now as the server has them. */
  ordersListed(): void;
  /** The connection is new: aborts a running request. */
  abort(): void;
  clear(): void;
  /** Whether the balances are those of the open orders. */
  readonly settled: boolean;
  /** Undefined while unknown. */
  readonly account: AccountTotals | undefined;
  /** null while unknown. */
  latest(): AccountSummary | null;
}

export function createAccountSummary(options: AccountSummaryOptions): LiveAccountSummary {
  const { clock, openOrders } = options;
  let known: Balances | undefined;
  /** `known` fits the open orders. */
  let settled = false;
  let unsettledAt = 0;
  let shown: { account: AccountTotals; lockBalance: Usd } | undefined;
  /** Of `shown`. */
  let stopOutPrices: AccountSummary['stopOutPrices'] = {};
  /** An answer that came before the orders were listed. */
  let waiting: { answer: Balances; events: number } | undefined;
  const retry = createRetry(clock, () => void refresh());
  /** Whether the retries are those of calls that failed. */
  let failing = false;

  function unsettle(): void {
    if (settled || unsettledAt === 0) unsettledAt = clock.now();
    settled = false;
  }

  function settle(answer: Balances): void {
    known = answer;
    settled = true;
    retry.end();
    options.changed();
  }

  function applyBalances(answer: Balances, events: number): void {
    waiting = undefined;
    if (!openOrders.listed) {
      waiting = { answer, events };
      return;
    }
    const fits =
      events === openOrders.events && compare(answer.marginInUse, openOrders.marginInUse) === 0;
    if (!fits) unsettle();
    if (fits || clock.now() - unsettledAt >= PATIENCE_MS) {
      settle(answer);
      return;
    }
    // A push may be on its way; if the balances still disagree after a retry, one was lost.
    if (retry.times > 0) options.mismatch();
    retry.schedule();
  }

  const fetch: LatestRun<Result<void>> = latestRun(async (signal) => {
    if (!options.isSignedIn()) return failed({ kind: 'cancelled' });
    const { events } = openOrders;
    const result = await options.fetchBalances(signal);
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (result.ok) {
      if (failing) retry.end();
      failing = false;
      applyBalances(result.data, events);
    } else if (result.failure.kind !== 'signed-out') {
      failing = true;
      retry.schedule(result.failure);
    }
    return result.ok ? success(undefined) : result;
  });

  function refresh(ordersChanged = false): Promise<Result<void>> {
    if (ordersChanged) unsettle();
    return fetch();
  }

  /** While balances and orders agree, the figures follow the prices. */
  function update(): void {
    if (!settled || !known) return;
    const { balance, lockBalance, marginInUse } = known;
    shown = { account: { balance, marginInUse, profit: options.profit() }, lockBalance };
  }

  return {
    refresh,
    ordersListed() {
      if (waiting) applyBalances(waiting.answer, waiting.events);
      else if (known && compare(known.marginInUse, openOrders.marginInUse) !== 0)
        void refresh(true);
    },
    abort() {
      fetch.abort();
      retry.end();
    },
    clear() {
      fetch.abort();
      retry.end();
      known = undefined;
      settled = false;
      unsettledAt = 0;
      shown = undefined;
      waiting = undefined;
    },
    get settled() {
      return settled;
    },
    get account() {
      update();
      return shown?.account;
    },
    latest() {
      update();
      if (!shown) return null;
      if (settled) stopOutPrices = options.stopOutPrices(shown.account);
      return { ...summaryOf(shown.account, shown.lockBalance), stopOutPrices };
    },
  };
}

/** The summary of an account as the page shows it. */
export function summaryOf(
  account: AccountTotals,
  lockBalance: Usd,
): Omit<AccountSummary, 'stopOutPrices'> {
  return {
    balance: toText(accountBalance(account)),
    lockBalance: toText(lockBalance),
    marginInUse: toText(account.marginInUse),
    profit: toFixed(account.profit, PROFIT_SCALE),
    equity: toText(equity(account)),
    available: toText(available(account)),
    riskRate: percent(riskRate(account)),
    marginLevel: percent(marginLevel(account)),
  };
}

function percent(value: Decimal | undefined): string | undefined {
  return value && toFixed(value, 2);
}
