import { cpus, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  platform: string;
}

/** The true time of a program's clock, which may be in trading hours (scripts/bench.mjs); ISO. */
export function trueTime(clock: number): string {
  const ahead = Number(process.env['CLOCK_SHIFT_SECONDS'] ?? 0) * 1000;
  return new Date(clock - ahead).toISOString();
}

export function machine(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}
