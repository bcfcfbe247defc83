import { isZero, negate, sign } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { freeBalanceProblem } from '#domain/trading/freeBalance';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import { adjustmentEntry } from './entries';

export interface AdjustParts {
  ledger: Ledger;
  freeBalance(work: UnitOfWork, userId: number): Promise<Usd>;
}

/**
 * The operator corrects a balance: adds `amount`, or takes it where it is negative, at most the
 * free balance. The user reads `memo` in the records (domain.md#financial-records).
 */
export async function adjustBalance(
  work: UnitOfWork,
  { ledger, freeBalance }: AdjustParts,
  userId: number,
  amount: Usd,
  memo: string,
): Promise<void> {
  if (isZero(amount) || memo.trim() === '') {
    throw new Refusal(CODE_REFUSED, 'server.adjustmentEmpty');
  }
  const free = await freeBalance(work, userId);
  const problem = sign(amount) < 0 ? freeBalanceProblem('amount', negate(amount), free) : undefined;
  if (problem) throw Refusal.ofRule(problem.message);
  await ledger.post(work, [adjustmentEntry(userId, amount, memo.trim())]);
}
