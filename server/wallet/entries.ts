import { negate, subtract } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { type Entry, HOUSE, paid, shifted } from '../ledger/entries';

/** A withdrawal that moves money, and whose. */
interface WithdrawalOf {
  id: number;
  userId: number;
  number: Usd;
  fee: Usd;
}

function ofWithdrawal(kind: Entry['kind'], { id }: WithdrawalOf, legs: Entry['legs']): Entry {
  return { kind, orderId: 0, params: { withdrawal: id }, legs };
}

/** Money that came in from outside. */
export function deposited(userId: number, deposit: number, amount: Usd): Entry {
  const legs = paid(userId, 'payments', amount);
  return { kind: 'deposited', orderId: 0, params: { deposit }, legs };
}

/** A withdrawal is submitted: its amount is frozen. */
export function withdrawn(of: WithdrawalOf): Entry {
  return ofWithdrawal('withdrawal', of, shifted(of.userId, 'available', 'withdrawals', of.number));
}

/** It is rejected: its amount is free again. */
export function returned(of: WithdrawalOf): Entry {
  const legs = shifted(of.userId, 'withdrawals', 'available', of.number);
  return ofWithdrawal('withdrawal_returned', of, legs);
}

/** It is finished: the money leaves, the fee stays. */
export function paidOut(of: WithdrawalOf): Entry {
  return ofWithdrawal('paid_out', of, [
    { owner: of.userId, kind: 'withdrawals', amount: negate(of.number) as Usd },
    { owner: HOUSE, kind: 'payments', amount: subtract(of.number, of.fee) as Usd },
    { owner: HOUSE, kind: 'fees', amount: of.fee },
  ]);
}

/** What the desk puts right by hand, with its reason as the memo (§2: Type 10 shows it). */
export function adjusted(userId: number, amount: Usd, memo: string): Entry {
  return { kind: 'note', orderId: 0, params: {}, memo, legs: paid(userId, 'capital', amount) };
}
