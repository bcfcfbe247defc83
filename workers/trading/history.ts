import type { ReadOrder } from '#domain/api/trading';
import { subtract, toText, ZERO } from '#domain/core/decimal';
import { type Failure, failed, type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import { realised } from '#domain/trading/profit';
import type { Http } from '../http/client';
import { orderPage } from '../http/trading';
import type { Identify } from './identify';

/** Rows of a page for a screen, and the largest page that the server allows (protocol.md#order-list), for long windows. */
const PAGE = 100;
const LARGEST = 500;

interface HistoryWindow {
  orders: Order[];
  total: number;
  /** Realised profit over all pages, USD. */
  profit: Usd;
  /** Fees over all pages, USD; undefined where the server does not say. */
  fees: Usd | undefined;
  /** Of all pages, USD, negative is paid. */
  swap: Usd;
  /** Why the last fetch failed; the orders are then those of before. */
  failure: Failure | undefined;
}

/**
 * Closed orders, newest first, as far as they were requested. A closed order changes only by a correction of the broker's,
 * which is pushed, so only the first page has to be fetched again.
 */
export interface History {
  window(from: number, to: number): Promise<Result<HistoryWindow>>;
  /**
   * All that ended at `from` or later, and some that ended before. Fetches at most `pages` more, of `size` orders:
   * `complete` says whether these were enough.
   */
  since(
    from: UnixMs,
    pages: number,
    size?: number,
  ): Promise<Result<HistoryWindow & { complete: boolean }>>;
  /** Fetches the newest ones, to find orders that ended without a push. */
  newest(): Promise<Result<readonly Order[]>>;
  /** An order has ended, or may have: the first page is fetched again. */
  invalidate(): void;
  /** An order has changed: all is fetched again where it was known to have ended. */
  correct(id: number): void;
  clear(): void;
}

interface Known {
  /** As they were sent: their instruments may be listed later. */
  rows: ReadOrder[];
  ids: Set<number>;
  /** Number of the server's rows that were fetched, readable or not. */
  covered: number;
  /** Rows of a page, where the server ignores the requested limit. */
  size: number | undefined;
  /** As the server says; of all rows, `total` of those that can be read once the last was fetched. */
  sent: number;
  total: number;
  profit: Usd;
  fees: Usd | undefined;
  swap: Usd;
}

export function createHistory(http: Http, identify: Identify): History {
  let known: Known | undefined;
  let outdated = true;
  let life = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs one fetch after another: each begins with what the one before found. */
  function inTurn<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = life;
    const result = turn.then(() => work(signal));
    turn = result;
    return result;
  }

  /** Fetches the first page and puts its new orders in front of the known ones. */
  async function head(limit: number, signal: AbortSignal): Promise<Result<Known>> {
    outdated = false;
    const result = await orderPage(http, { status: 'closed', page: 1, limit }, signal);
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (!result.ok) {
      outdated = true;
      return result;
    }
    const { rows, received, profit, fees, swap = ZERO, total = received } = result.data;
    const former = known;
    const size = received < Math.min(limit, total) ? received : undefined;
    const sums = { sent: total, total, profit, fees, swap };
    const next: Known = { rows: [], ids: new Set(), covered: received, size, ...sums };
    append(next, rows);
    if (former && beyond(former, next.ids) === beyond(next, next.ids)) {
      const added = next.rows.filter(({ id }) => !former.ids.has(id)).length;
      append(next, former.rows);
      next.covered = Math.max(received, former.covered + added);
    }
    known = next;
    return success(next);
  }

  async function more(into: Known, count: number, signal: AbortSignal): Promise<Result<void>> {
    const limit = into.size || (count - into.covered > PAGE ? LARGEST : PAGE);
    const page = Math.floor(into.covered / limit) + 1;
    const result = await orderPage(http, { status: 'closed', page, limit }, signal);
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (!result.ok) return result;
    const { rows, received } = result.data;
    append(into, rows);
    const covered = (page - 1) * limit + received;
    // The total counts rows that can't be read; the list ends with the readable ones.
    if (received < limit || covered <= into.covered) into.total = into.rows.length;
    into.covered = Math.max(into.covered, covered);
    return success(undefined);
  }

  /** The known orders, with their first page up to date where that can be fetched. */
  async function current(
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<{ known: Known; failure: Failure | undefined }>> {
    const result: Result<Known> = known && !outdated ? success(known) : await head(limit, signal);
    if (result.ok) return success({ known: result.data, failure: undefined });
    const { failure } = result;
    const old = known && /transport|refused/.test(failure.kind) ? known : undefined;
    return old ? success({ known: old, failure }) : result;
  }

  /** The known orders and as many more as `next` asks for: the number to reach, undefined where these are enough. */
  function loaded<T>(
    limit: number,
    next: (known: Known) => number | undefined,
    answer: (known: Known) => T,
  ): Promise<Result<T & Pick<HistoryWindow, 'total' | 'profit' | 'fees' | 'swap' | 'failure'>>> {
    return inTurn(async (signal) => {
      const started = await current(limit, signal);
      if (!started.ok) return started;
      const { known: found, failure } = started.data;
      for (let count = next(found); count !== undefined; count = next(found)) {
        const result = await more(found, count, signal);
        if (!result.ok) return result;
      }
      const { total, profit, fees, swap } = found;
      return success({ ...answer(found), total, profit, fees, swap, failure });
    });
  }

  return {
    window: (from, to) =>
      loaded(
        to > PAGE ? LARGEST : PAGE,
        ({ rows, total }) => (rows.length < Math.min(to, total) ? to : undefined),
        ({ rows }) => ({ orders: rows.slice(from, to).map(identify) }),
      ),
    since(from, pages, size = LARGEST) {
      const isComplete = ({ rows, total }: Known) =>
        rows.length >= total || (rows.at(-1)?.completedAt ?? from) < from;
      let left = pages;
      return loaded(
        size,
        (known) => (left-- > 0 && !isComplete(known) ? known.covered + size : undefined),
        (known) => ({ orders: known.rows.map(identify), complete: isComplete(known) }),
      );
    },
    newest: () =>
      inTurn(async (signal) => {
        const result = await head(PAGE, signal);
        return result.ok ? success(result.data.rows.map(identify)) : result;
      }),
    correct(id) {
      if (known?.ids.has(id)) known = undefined;
    },
    invalidate() {
      outdated = true;
    },
    clear() {
      life.abort();
      life = new AbortController();
      known = undefined;
      outdated = true;
    },
  };
}

/**
 * What the orders that a page does not have come to, as the server says. Where it is the same as before, they are the known ones; else a
 * correction of an older one was not pushed, the server was set back to a backup, or between them is what was never fetched.
 */
function beyond({ rows, sent, profit, fees, swap }: Known, page: ReadonlySet<number>): string {
  const within = rows.filter(({ id }) => page.has(id));
  const sum = realised(within);
  return [
    sent - within.length,
    toText(subtract(profit, sum.profit)),
    fees && toText(subtract(fees, sum.fees)),
    toText(subtract(swap, sum.swap)),
  ].join(' ');
}

function append(into: Known, rows: readonly ReadOrder[]): void {
  for (const order of rows) {
    if (into.ids.has(order.id)) continue;
    into.ids.add(order.id);
    into.rows.push(order);
  }
}
