import type { Asked } from '#domain/api/call';
import { type FinancialRecord, recordList } from '#domain/api/wallet';
import { failed, type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import { callRead } from '../http/ask';
import type { Http } from '../http/client';

/** The largest page that the server allows (protocol.md#financial-records). */
const LARGEST = 500;
/** What one call fetches at most, so that a long history shows its first results soon: a server may know small pages only. */
const MOST_PAGES = 20;
const MOST_ROWS = 1000;

/** A record at its time; one without a readable time stands at that of the next newer one. */
type TimedRecord = FinancialRecord & { createdAt: UnixMs };

/**
 * The financial records of the user, newest first, as far as they were requested. None ever
 * changes, so only the newest have to be fetched again.
 */
export interface Records {
  /** Fetches the newest. */
  refresh(signal: AbortSignal): Promise<Result<void>>;
  /** Fetches at most `MOST_PAGES` or `MOST_ROWS` more, until one is older than `from`; returns whether nothing newer is missing. */
  reach(from: UnixMs, signal: AbortSignal): Promise<Result<boolean>>;
  readonly rows: readonly TimedRecord[];
  clear(): void;
}

export function createRecords(http: Http, now: () => UnixMs): Records {
  let rows: TimedRecord[] = [];
  let ids = new Set<number>();
  /** Number of the server's rows that were fetched, readable or not, counted from the newest at the last refresh. */
  let covered = 0;
  /** Rows that have come since. The next refresh fetches them: the balances that were read with the last one lack them. */
  let arrived = 0;
  /** Rows of a page, where the server ignores the requested limit. */
  let size: number | undefined;
  let finished = false;
  const isNew = ({ id }: FinancialRecord) => !ids.has(id);
  const isKnown = (record: FinancialRecord) => !isNew(record);

  async function fetchPage(params: Asked<typeof recordList>, signal: AbortSignal) {
    const result = await callRead(http, recordList, params, { signal });
    return signal.aborted ? failed({ kind: 'cancelled' }) : result;
  }

  function timed(found: readonly FinancialRecord[], newer: UnixMs): TimedRecord[] {
    let time = newer;
    return found.map((record) => {
      time = record.createdAt ?? time;
      return { ...record, createdAt: time };
    });
  }

  function clear(): void {
    rows = [];
    ids = new Set();
    covered = 0;
    arrived = 0;
    finished = false;
  }

  return {
    async refresh(signal) {
      const result = await fetchPage({ page: 1 }, signal);
      if (!result.ok) return result;
      const { rows: found, received, total } = result.data;
      const added = found.filter(isNew);
      // What lies between the newest and the known ones would have to be fetched: begin anew.
      if (added.length === found.length) clear();
      rows = [...timed(added, now()), ...rows];
      for (const { id } of added) ids.add(id);
      covered = Math.max(received, covered + added.length);
      arrived = 0;
      finished ||= received === 0 || covered >= (total ?? Number.POSITIVE_INFINITY);
      return success(undefined);
    },
    async reach(from, signal) {
      const reached = () => finished || (rows.at(-1)?.createdAt ?? from) < from;
      const enough = covered + MOST_ROWS;
      for (let left = MOST_PAGES; left > 0 && covered < enough && !reached(); left--) {
        const limit: number = size ?? LARGEST;
        const next = covered + arrived;
        const page = Math.floor(next / limit) + 1;
        const result = await fetchPage({ page, limit }, signal);
        if (!result.ok) return result;
        const { rows: found, received, total = Number.POSITIVE_INFINITY } = result.data;
        const before = (page - 1) * limit;
        // Known rows move down by as many as have arrived.
        arrived += Math.max(0, before + found.findLastIndex(isKnown) + 1 - next);
        const added = found.slice(Math.max(0, found.findIndex(isKnown))).filter(isNew);
        rows = [...rows, ...timed(added, rows.at(-1)?.createdAt ?? now())];
        for (const { id } of added) ids.add(id);
        const reachedRow = before + received;
        const isShort = page === 1 && received > 0 && received < Math.min(limit, total);
        if (isShort) size = received;
        // A page that brings nothing further is the last.
        finished = (reachedRow <= next && !isShort) || reachedRow >= total;
        covered = Math.max(covered, reachedRow - arrived);
      }
      return success(reached());
    },
    get rows() {
      return rows;
    },
    clear,
  };
}
