/** What is sent, and what the browser has to do meanwhile. */
export interface Workload {
  /** Instruments. */
  n: number;
  /** Quotes a second. */
  rate: number;
  /** Rows in sight. */
  rows: number;
  /** Quotes in one message. */
  perMessage: number;
  /** Evenly over all instruments, or by Zipf's law with the first of the list most often. */
  spread: 'even' | 'zipf';
  /**
   * Quotes a second of visible rows, evenly in time, whatever else is sent; 0: as `spread` gives.
   */
  inSight: number;
  /** Quotes a second of each of the first instruments, evenly in time; 0: as `spread` gives. */
  first: number;
  /** How many these are. */
  firsts: number;
  /** `burst`: the quotes of a second arrive within its first tenth. */
  pace: 'steady' | 'burst';
  /** What the hand does: nothing, flings, flings and one tap a second, four keys a second, going from the list to a chart and back. */
  hand: 'still' | 'fling' | 'fling and tap' | 'typing' | 'walk';
  /** Share of one core for the whole browser; 1: no limit. */
  core: number;
  /** Slowdown of the page's main thread alone, as in the developer tools; 1: none. */
  slower: number;
  /** `use`: measured when the list is shown; `start`: from navigation to the first live quote. */
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
  first: 0,
  firsts: 1,
  pace: 'steady',
  hand: 'still',
  core: 1,
  slower: 1,
  phase: 'use',
  seed: 20_140_507,
};

/** Messages with the quotes of 20 ms, as from a server that collects them. */
export function gathered(change: Partial<Workload>): Workload {
  const next = { ...MAIN, ...change };
  return { ...next, perMessage: Math.max(1, Math.round(next.rate / 50)) };
}

/** Name of a workload in results and on the command line: its differences from the main one. */
export function nameOf(w: Workload): string {
  const parts = [`N ${w.n}`, `R ${w.rate}`, `V ${w.rows}`];
  if (w.rate > 0) parts.push(`${w.perMessage} a message`);
  if (w.spread !== 'even') parts.push(w.spread);
  if (w.inSight > 0) parts.push(`${w.inSight} in sight`);
  if (w.first > 0) parts.push(`${w.first} of the first${w.firsts > 1 ? ` ${w.firsts} each` : ''}`);
  if (w.pace !== 'steady') parts.push(w.pace);
  if (w.hand !== 'still') parts.push(w.hand);
  if (w.core !== 1) parts.push(`${w.core} core`);
  if (w.slower !== 1) parts.push(`page thread ${w.slower}× slower`);
  if (w.phase !== 'use') parts.push(w.phase);
  return parts.join(', ');
}
