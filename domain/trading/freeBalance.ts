import { compare, toFixed, truncate } from '../core/decimal';
import type { FieldProblem, Message } from '../core/rule';
import { CENTS, type Usd } from '../core/units';

/** That `free` does not bear `needed`, USD; in cents, what is free cut off so that it never reads as enough. */
export function freeBalanceTooLow(needed: Usd, free: Usd): Message {
  const params = { needed: toFixed(needed, CENTS), free: toFixed(truncate(free, CENTS), CENTS) };
  return { key: 'freeBalanceTooLow', params };
}

/** A problem of `field` when `needed` USD is more than the free balance (domain.md#free-balance). */
export function freeBalanceProblem<Field extends string>(
  field: Field,
  needed: Usd,
  freeBalance: Usd,
): FieldProblem<Field> | undefined {
  return isBorne(needed, freeBalance)
    ? undefined
    : { field, message: freeBalanceTooLow(needed, freeBalance) };
}

/** Whether the free balance bears `needed` USD: margin and fee of an order, the fee of a fill (domain.md#free-balance). */
export function isBorne(needed: Usd, freeBalance: Usd): boolean {
  return compare(needed, freeBalance) <= 0;
}
