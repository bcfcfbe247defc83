import { cpus, totalmem } from 'node:os';
import { randomFrom } from '#domain/workload/draws';
import { bootstrap, medianOf, shuffled } from './statistics';

/** One implementation of the work. */
export interface Contender {
  name: string;
  /** Renews the input where `run` consumes it; not measured. */
  prepare?(): void;
  /** Does the work once over the whole input. */
  run(): unknown;
  /** The result of `run` as the correctness gate compares it; not measured. */
  read?(result: unknown): unknown;
}

interface Row {
  contender: string;
  /** CPU microseconds of one run over the input. */
  samples: number[];
  median: number;
  /**
   * Median of this contender's samples divided by the reference's of the same round, with its 95 %
   * interval.
   */
  ratio: { median: number; low: number; high: number };
}

export interface Outcome {
  name: string;
  what: string;
  reference: string;
  rows: Row[];
  /** Further measurements of ours. */
  facts?: Readonly<Record<string, number>>;
}

export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  platform: string;
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

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU microseconds of `count` runs. */
function spend(contender: Contender, count: number): number {
  let spent = 0;
  for (let i = 0; i < count; ) {
    // Without preparation, measure all runs at once: reading the clock costs a microsecond.
    const runs = contender.prepare ? 1 : count;
    contender.prepare?.();
    const begin = cpuMicroseconds();
    for (let run = 0; run < runs; run++) contender.run();
    spent += cpuMicroseconds() - begin;
    i += runs;
  }
  return spent;
}

/** Number of repetitions of `run` in a sample that the CPU clock resolves well. */
function repetitions(contender: Contender, target = 60_000): number {
  for (let count = 1; ; count *= 2) {
    const spent = spend(contender, count);
    if (spent > target / 2) return Math.max(1, Math.round((count * target) / spent));
  }
}

/** The result of one run as text. */
function resultOf({ prepare, run, read }: Contender): string {
  prepare?.();
  const result = run();
  return JSON.stringify(read ? read(result) : result);
}

/**
 * Compares contenders with the first of them. Rounds are interleaved in random order, so that a
 * slow minute of the machine affects all; ratios are taken within a round. An A/A pair (the
 * reference twice) shows the noise.
 */
export function compare(
  name: string,
  what: string,
  contenders: readonly [Contender, ...Contender[]],
  options: { rounds: number; seed: number },
): Outcome {
  const [reference] = contenders;
  const field: Contender[] = [...contenders, { ...reference, name: `${reference.name} (A/A)` }];
  const expected = resultOf(reference);
  for (const contender of field) {
    if (resultOf(contender) !== expected) {
      throw new Error(`${name}: ${contender.name} gives another result than ${reference.name}`);
    }
  }
  const counts = field.map((contender) => repetitions(contender));
  const samples: number[][] = field.map(() => []);
  const random = randomFrom(options.seed);
  for (let round = 0; round < options.rounds; round++) {
    for (const index of shuffled([...field.keys()], random)) {
      const contender = field[index];
      const count = counts[index];
      if (!contender || !count) continue;
      samples[index]?.push(spend(contender, count) / count);
    }
  }
  const base = samples[0] ?? [];
  const rows = field.map((contender, index): Row => {
    const own = samples[index] ?? [];
    const ratios = own.map((value, round) => value / (base[round] ?? Number.NaN));
    return {
      contender: contender.name,
      samples: own,
      median: medianOf(own),
      ratio: { median: medianOf(ratios), ...bootstrap(ratios, medianOf) },
    };
  });
  return { name, what, reference: reference.name, rows };
}
