/** What is sent, and what the browser is asked to do meanwhile. */
export interface Workload {
  /** Instruments. */
  n: number;
  /** Quotes a second. */
  rate: number;
  /** Rows in sight. */
  rows: number;
  /** Quotes in one message. */
  perMessage: number;
  /** Evenly over all instruments, or by Zipf with the first of the list most often. */
  spread: 'even' | 'zipf';
  /** Quotes a second of the rows in sight, evenly in time, whatever else comes; 0: as the spread has it. */
  inSight: number;
  /** `burst`: the quotes of each second come within its first tenth. */
  pace: 'steady' | 'burst';
  /** What a finger does: nothing, a fling to and fro, a fling and a tap a second, four keys a second. */
  hand: 'still' | 'fling' | 'fling and tap' | 'typing';
  /** Share of one core for the whole browser; 1: no quota. */
  core: number;
  /** By how much the page's thread alone is slowed down, as developer tools do it; 1: not. */
  slower: number;
  /** `use`: of the list once it stands there; `start`: of the page until the first live quote. */
  phase: 'use' | 'start';
  seed: number;
}

export const MAIN: Workload = {
  n: 1000,
  rate: 1000,
  rows: 20,
  perMessage: 20,
  spread: 'even',
  inSight: 0,
  pace: 'steady',
  hand: 'still',
  core: 1,
  slower: 1,
  phase: 'use',
  seed: 20_140_507,
};

/** Messages of as many quotes as come in 20 ms: what a server that gathers them sends. */
export function gathered(change: Partial<Workload>): Workload {
  const next = { ...MAIN, ...change };
  return { ...next, perMessage: Math.max(1, Math.round(next.rate / 50)) };
}

/** Names a workload in results and on the command line: what differs from the main one is enough to a reader. */
export function nameOf(w: Workload): string {
  const parts = [`N ${w.n}`, `R ${w.rate}`, `V ${w.rows}`];
  if (w.rate > 0) parts.push(`${w.perMessage} a message`);
  if (w.spread !== 'even') parts.push(w.spread);
  if (w.inSight > 0) parts.push(`${w.inSight} in sight`);
  if (w.pace !== 'steady') parts.push(w.pace);
  if (w.hand !== 'still') parts.push(w.hand);
  if (w.core !== 1) parts.push(`${w.core} core`);
  if (w.slower !== 1) parts.push(`page thread ${w.slower}× slower`);
  if (w.phase !== 'use') parts.push(w.phase);
  return parts.join(', ');
}
