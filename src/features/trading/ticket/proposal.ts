import { signal } from '@preact/signals-core';
import type { Side } from '#domain/trading/order';

/** A pending order that the chart proposes. */
interface Proposal {
  instrumentId: number;
  side: Side;
  /** A plain decimal. */
  target: string;
}

/** Taken by the order form, which opens with it where it is not beside the chart. */
export const proposal = signal<Proposal | undefined>(undefined);
