import { type Decimal, toFixed, truncate } from '../core/decimal';
import type { Message } from '../core/result';
import type { Usd } from '../core/units';
import { CENTS } from './margin';

/** That `free` does not bear `needed`, USD; in cents, what is free cut off so that it never reads as enough. */
export function freeBalanceTooLow(needed: Decimal, free: Usd): Message {
  const params = { needed: toFixed(needed, CENTS), free: toFixed(truncate(free, CENTS), CENTS) };
  return { key: 'freeBalanceTooLow', params };
}
