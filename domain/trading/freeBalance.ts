import { compare, toFixed, truncate } from '../core/decimal';
import type { FieldProblem, Message } from '../core/rule';
import { CENTS, type Usd } from '../core/units';

/** Says that `free` does not cover `needed`, USD. Shows cents, and truncates `free` so that it never looks sufficient. */
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
  return isCovered(needed, freeBalance)
    ? undefined
    : { field, message: freeBalanceTooLow(needed, freeBalance) };
}

/** Whether the free balance covers `needed` USD: margin and fee of an order, or the fee of a fill (domain.md#free-balance). */
export function isCovered(needed: Usd, freeBalance: Usd): boolean {
  return compare(needed, freeBalance) <= 0;
}
