import { cpus, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  platform: string;
}

interface Conditions extends Machine {
  /** ISO. */
  at: string;
  commit: string;
  command: string;
}

/** The true time of a program's clock, which may be in trading hours (scripts/bench.mjs); ISO. */
export function trueTime(clock: number): string {
  const ahead = Number(process.env['CLOCK_SHIFT_SECONDS'] ?? 0) * 1000;
  return new Date(clock - ahead).toISOString();
}

/** On which machine and when this program measures, which commit, and by which command. */
export function conditions(): Conditions {
  const [first] = cpus();
  const { BENCH_COMMIT: commit = '', BENCH_COMMAND: command = '' } = process.env;
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    at: trueTime(Date.now()),
    commit,
    command,
  };
}
