import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import type { MatchingEngine } from '../trading/matchingEngine';
import type { CommandLog } from './commandLog';

interface KeepingOptions {
  db: Db;
  commands: CommandLog;
  engine: MatchingEngine;
  clock: Clock;
  log: Log;
}

const EVERY_MS = toDurationMs(3_600_000);

/** Writes a base a day, and deletes commands that are older than they are kept. */
export function createCommandKeeping({ db, commands, engine, clock, log }: KeepingOptions) {
  return new RepeatedTask({
    name: 'commands to play again',
    every: EVERY_MS,
    clock,
    log,
    async run() {
      await engine.recordBase();
      await commands.purge(db);
    },
  });
}
