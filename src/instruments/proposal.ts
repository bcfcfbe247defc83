import { signal } from '@preact/signals-core';
import type { Side } from '#domain/trading/order';

/** An order that is proposed by the chart, a row of a list, or a key. */
interface Proposal {
  /** Of the instrument. */
  code: string;
  side: Side;
  /** What a pending order waits for, a plain decimal; without one the form stays as it is. */
  target?: string;
}

/** Taken by the order form, which opens with it where it is not beside the chart. */
export const proposal = signal<Proposal | undefined>(undefined);
