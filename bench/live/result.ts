import type { Machine } from '../lib/measure';

/** CPU a message of each round, µs. */
export interface LiveRound {
  /** Receiving and parsing alone. */
  floor: number;
  server: number;
}

export interface LiveResult {
  machine: Machine;
  at: string;
  pairs: number;
  /** Trades a second. */
  trades: number;
  /** Length of a window, s. */
  seconds: number;
  rounds: LiveRound[];
}
