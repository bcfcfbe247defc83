import { compare, toFixed, truncate } from '../core/decimal';
import type { FieldProblem, Message } from '../core/rule';
import { CENTS, type Usd } from '../core/units';

/** Says that `free` does not cover `needed`, USD. Shows cents, and truncates `free` so that it never looks sufficient. */
export function availableTooLow(needed: Usd, free: Usd): Message {
  const params = { needed: toFixed(needed, CENTS), free: toFixed(truncate(free, CENTS), CENTS) };
  return { key: 'availableTooLow', params };
}

/** A problem of an amount when it is more USD than the available balance (domain.md#available-balance). */
export function availableProblem(amount: Usd, available: Usd): FieldProblem<'amount'> | undefined {
  return isCovered(amount, available)
    ? undefined
    : { field: 'amount', message: availableTooLow(amount, available) };
}

/** Whether the available balance covers `needed` USD: margin and fee of an order, or the fee of a fill (domain.md#available-balance). */
export function isCovered(needed: Usd, available: Usd): boolean {
  return compare(needed, available) <= 0;
}
