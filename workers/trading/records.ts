import { readRecordPage } from '#domain/api/read-record';
import { recordList } from '#domain/api/wallet';
import { failed, type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { FinancialRecord } from '#domain/wallet/record';
import type { Http } from '../http/client';

/** A record at its time; one without a readable time stands at that of the next newer one. */
type TimedRecord = FinancialRecord & { createdAt: UnixMs };

/**
 * The financial records of the user, newest first, as far as they were requested. None ever
 * changes, so only the newest have to be fetched again. The server pages them by few
 * (protocol.md#financial-records).
 */
export interface Records {
  /** Fetches the newest. */
  refresh(signal: AbortSignal): Promise<Result<void>>;
  /** Fetches at most `pages` more, until one is older than `from`; returns whether nothing newer is missing. */
  reach(from: UnixMs, pages: number, signal: AbortSignal): Promise<Result<boolean>>;
  readonly rows: readonly TimedRecord[];
  clear(): void;
}

export function createRecords(http: Http, now: () => UnixMs): Records {
  let rows: TimedRecord[] = [];
  let ids = new Set<number>();
  /** Number of the server's rows from the newest on that were fetched, readable or not. */
  let covered = 0;
  let size = 0;
  let finished = false;

  async function page(number: number, signal: AbortSignal) {
    const result = await http.get(recordList, { page: number }, readRecordPage, {
      signal,
      quiet: true,
    });
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
    finished = false;
  }

  return {
    async refresh(signal) {
      const result = await page(1, signal);
      if (!result.ok) return result;
      const { rows: found, received, total } = result.data;
      const added = found.filter(({ id }) => !ids.has(id));
      // What lies between the newest and the known ones would have to be fetched: begin anew.
      if (added.length === found.length) clear();
      rows = [...timed(added, now()), ...rows];
      for (const { id } of added) ids.add(id);
      covered = Math.max(received, covered + added.length);
      size = received;
      finished ||= received === 0 || covered >= (total ?? Number.POSITIVE_INFINITY);
      return success(undefined);
    },
    async reach(from, pages, signal) {
      const reached = () => finished || (rows.at(-1)?.createdAt ?? from) < from;
      for (let left = pages; left > 0 && !reached(); left--) {
        const number = Math.floor(covered / size) + 1;
        const result = await page(number, signal);
        if (!result.ok) return result;
        const { rows: found, received, total } = result.data;
        const added = found.filter(({ id }) => !ids.has(id));
        rows = [...rows, ...timed(added, rows.at(-1)?.createdAt ?? now())];
        for (const { id } of added) ids.add(id);
        const reachedRow = (number - 1) * size + received;
        // A page that brings nothing further is the last.
        finished = reachedRow <= covered || reachedRow >= (total ?? Number.POSITIVE_INFINITY);
        covered = Math.max(covered, reachedRow);
      }
      return success(reached());
    },
    get rows() {
      return rows;
    },
    clear,
  };
}
