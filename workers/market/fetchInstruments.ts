import type { ListedInstrument } from '#domain/api/read-market';
import { type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { Clock } from '../core/ports';
import type { Http } from '../http/client';
import { tradeList } from '../http/market';

/** How the list is requested: by the user, or by the worker itself and then quietly. */
export interface RefreshMode {
  quiet: boolean;
  initial: boolean;
  timeoutMs?: number;
}

export interface FetchInstrumentsOptions {
  clock: Clock;
  http: Http;
  /** As QuoteSubscription.confirmed. */
  confirmed: () => number | undefined;
  /** A list has come. `since`: it was requested after the present subscription was confirmed. */
  received: (rows: ListedInstrument[], raw: unknown, since: boolean, sentAt: UnixMs) => void;
}

/** Fetches trade_list, once for all callers at the same time. */
export interface FetchInstruments {
  refresh(mode: RefreshMode): Promise<Result<void>>;
  /**
   * The connection is new: an answer to a request in flight may be older than it, or never come. The next
   * caller does not wait for it, and its own callers get the next answer.
   */
  restart(): void;
}

export function createFetchInstruments({
  clock,
  http,
  confirmed,
  received,
}: FetchInstrumentsOptions): FetchInstruments {
  let inFlight: { mode: RefreshMode; answer: Promise<Result<void>> } | undefined;
  let connections = 0;

  async function fetch(mode: RefreshMode): Promise<Result<void>> {
    const before = connections;
    const subscription = confirmed();
    const sentAt = clock.now();
    const result = await tradeList(http, mode);
    if (before !== connections) return refresh(mode);
    inFlight = undefined;
    if (!result.ok) return result;
    const since = subscription !== undefined && subscription === confirmed();
    received(unique(result.data.rows), result.data.raw, since, sentAt);
    return success(undefined);
  }

  function refresh(mode: RefreshMode): Promise<Result<void>> {
    // A caller that wants failures shown does not share a quiet request.
    if (inFlight && (mode.quiet || !inFlight.mode.quiet)) return inFlight.answer;
    const answer = fetch(mode);
    inFlight = { mode, answer };
    return answer;
  }

  return {
    refresh,
    restart() {
      connections += 1;
      inFlight = undefined;
    },
  };
}

/** The rows without those whose id or code came before (protocol.md#lists). */
function unique(rows: ListedInstrument[]): ListedInstrument[] {
  const ids = new Set<number>();
  const codes = new Set<string>();
  return rows.filter(({ instrument: { id, code } }) => {
    if (ids.has(id) || codes.has(code)) return false;
    ids.add(id);
    codes.add(code);
    return true;
  });
}
