import type { UnixMs } from '../core/time';
import type { Usd } from '../core/units';
import type { OrderState } from './orderState';

/** What an order moves (domain.md#financial-records); `fill_refused`: the balance did not cover its fee when its target was reached. */
interface OrderMovement {
  kind: 'frozen' | 'released' | 'fill_refused' | 'fee' | 'profit' | 'lifted' | 'unlifted';
  order: OrderState;
  /** What the balance changes by, USD. */
  amount: Usd;
}

/** A night of a position. */
interface NightMovement extends Pick<OrderMovement, 'order' | 'amount'> {
  kind: 'swap';
  midnight: UnixMs;
}

/** A demo account begins again. */
interface ResetMovement extends Pick<OrderMovement, 'amount'> {
  kind: 'reset';
  userId: number;
}

/** What a bust moves back of an order, USD: as it was booked, with its sign for the user. */
export interface Reversed {
  /** Of the margin: positive is released, negative is frozen. */
  margin: Usd;
  profit: Usd;
  fee: Usd;
  swap: Usd;
}

/** The operator undoes or corrects fills (domain.md#bust). */
interface ReversalMovement extends Pick<OrderMovement, 'order' | 'amount'> {
  kind: 'busted' | 'adjusted';
  /** They add up to `amount`. */
  reversed: Reversed;
  reason: string;
}

/** A change of a balance by matching, and why; the ledger posts it. */
export type Movement = OrderMovement | NightMovement | ReversalMovement | ResetMovement;
