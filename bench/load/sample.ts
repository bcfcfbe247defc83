import type { Machine } from '../lib/measure';
import type { OrderResult } from './orders';
import type { QuoteResult } from './quotes';

/** What the benchmark does to a server; each a section of its report. */
export type Scenario = 'quotes' | 'compact' | 'embedded' | 'postgres' | 'many';

/** What one server came to; a scenario has some of the figures. */
export type Sample = { startMs: number; memoryMb: number; cores: number } & Partial<
  QuoteResult & OrderResult
>;

/** Both servers in one round. */
export interface Pair {
  after: Sample;
  before?: Sample;
}

/** `bench/results/load.json`. */
export interface LoadResult {
  machine: Machine;
  /** When it was run. */
  at: string;
  /** What the clock of the servers said then. */
  clock: string;
  seconds: number;
  /** The commit that is compared with, and why there is no pair where there is none. */
  before: { commit: string; missing?: string };
  rounds: Partial<Record<Scenario, Pair>>[];
}
