import { isZero, negate, sign } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { availableProblem } from '#domain/trading/available';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import { adjustmentEntry } from './entries';

export interface AdjustParts {
  ledger: Ledger;
  available(work: UnitOfWork, userId: number): Promise<Usd>;
}

/**
 * The operator corrects a balance: adds `amount`, or takes it where it is negative, at most the
 * available balance. The user reads `memo` in the records (domain.md#financial-records).
 */
export async function adjustBalance(
  work: UnitOfWork,
  { ledger, available }: AdjustParts,
  userId: number,
  amount: Usd,
  memo: string,
): Promise<void> {
  if (isZero(amount) || memo.trim() === '') {
    throw new Refusal(CODE_REFUSED, 'server.adjustmentEmpty');
  }
  const free = await available(work, userId);
  const problem = sign(amount) < 0 ? availableProblem('amount', negate(amount), free) : undefined;
  if (problem) throw Refusal.ofRule(problem.message);
  await ledger.post(work, [adjustmentEntry(userId, amount, memo.trim())]);
}
