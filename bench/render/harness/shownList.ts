// How a list in whatever engine is waited for.
import { setTimeout as pause } from 'node:timers/promises';
import type { Workload } from '#domain/workload/workload';
import type { Selectors } from '../../../src/probe/rows';
import { describeList } from './probe';

/** A page of any engine. */
export interface Page {
  /** The awaited value of an expression. */
  evaluate<T>(expression: string): Promise<T>;
}

export type List = NonNullable<ReturnType<typeof describeList>>;

/** A page has this long to show its rows, s. */
export const LONGEST_START = 40;
/** Contenders that are behind may catch up for this long, ms. */
export const GATE_PATIENCE = 20_000;

/** A call in the page: the function as text, with its arguments. */
export function call(code: (...args: never[]) => unknown, ...args: unknown[]): string {
  return `(${code.toString()})(${args.map((value) => JSON.stringify(value)).join(',')})`;
}

/** Rejects with `failure` where it takes more than `patience`, ms. */
export async function within<T>(patience: number, done: Promise<T>, failure: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(failure)), patience);
  });
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/** Resolves when the visible area is full of rows that each have a price. */
export async function ready(page: Page, selectors: Selectors, workload: Workload): Promise<List> {
  const deadline = Date.now() + LONGEST_START * 1000;
  while (Date.now() < deadline) {
    const list = await page.evaluate<List | undefined>(call(describeList, selectors));
    if (list) {
      const fit = Math.min(workload.n, Math.floor(list.height / list.row));
      if (list.filled >= fit) return list;
    }
    await pause(50);
  }
  throw new Error('the rows did not come');
}
