import { negate, subtract } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { BROKER, betweenAccounts, type Entry, fromBroker } from '../ledger/entries';

/** A withdrawal as the cause of a movement. */
interface WithdrawalOf {
  id: number;
  userId: number;
  number: Usd;
  fee: Usd;
}

function ofWithdrawal(kind: Entry['kind'], { id }: WithdrawalOf, legs: Entry['legs']): Entry {
  return { kind, orderId: 0, params: { withdrawal: id }, legs };
}

/** Money arrived from outside. */
export function depositEntry(userId: number, deposit: number, amount: Usd): Entry {
  const legs = fromBroker(userId, 'payments', amount);
  return { kind: 'deposited', orderId: 0, params: { deposit }, legs };
}

/** A withdrawal is submitted: its amount is frozen. */
export function withdrawalEntry(of: WithdrawalOf): Entry {
  return ofWithdrawal(
    'withdrawal',
    of,
    betweenAccounts(of.userId, 'available', 'withdrawals', of.number),
  );
}

/** It is rejected: its amount is available again. */
export function withdrawalReturnEntry(of: WithdrawalOf): Entry {
  const legs = betweenAccounts(of.userId, 'withdrawals', 'available', of.number);
  return ofWithdrawal('withdrawal_returned', of, legs);
}

/** It is finished: the money leaves, the fee goes to the broker. */
export function payoutEntry(of: WithdrawalOf): Entry {
  return ofWithdrawal('paid_out', of, [
    { owner: of.userId, kind: 'withdrawals', amount: negate(of.number) },
    { owner: BROKER, kind: 'payments', amount: subtract(of.number, of.fee) },
    { owner: BROKER, kind: 'fees', amount: of.fee },
  ]);
}

/**
 * A correction by the operator, with its reason as the memo (record type 10 of
 * domain.md#financial-records).
 */
export function adjustmentEntry(userId: number, amount: Usd, memo: string): Entry {
  return {
    kind: 'note',
    orderId: 0,
    params: {},
    memo,
    legs: fromBroker(userId, 'capital', amount),
  };
}
