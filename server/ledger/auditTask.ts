import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import { audit } from './audit';

export interface AuditTaskOptions {
  db: Db;
  /** Hours between two audits. */
  every: number;
  clock: Clock;
  log: Log;
  /** Called after each audit with the number of differences; undefined where it failed. */
  onAudited(differences: number | undefined): void;
}

const HOUR_MS = 3_600_000;
/** Of the differences that one audit found: the command `audit` prints all. */
const MOST_LOGGED = 20;

/** Audits the ledger of the running server again and again, and logs what differs. */
export function createAuditTask({ db, every, clock, log, onAudited }: AuditTaskOptions) {
  return new RepeatedTask({
    name: 'audit',
    every: toDurationMs(every * HOUR_MS),
    clock,
    log,
    async run() {
      const differences = await audit(db).catch((error: unknown) => {
        onAudited(undefined);
        throw error;
      });
      for (const { check, where, expected, found } of differences.slice(0, MOST_LOGGED)) {
        log.error(`audit: ${where}: ${check}: expected ${expected}, found ${found}`);
      }
      onAudited(differences.length);
    },
  });
}
