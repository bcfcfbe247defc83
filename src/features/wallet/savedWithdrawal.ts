import type { MoneyKind } from '#domain/wallet/wallet';
import { user } from '../../gateway/trading';

/** The withdrawal form as it was filled in. */
export interface FilledWithdrawal {
  kind: MoneyKind;
  currencyId: number;
  methodId: number;
  amount: string;
  remark: string;
}

/** The form whose session ended while it was sent; its user finds it again after the login (D24). */
let left: { owner: number | undefined; filled: FilledWithdrawal } | undefined;

export function saveWithdrawal(filled: FilledWithdrawal, owner: number | undefined): void {
  left = { owner, filled };
}

/** The saved form of a kind. */
export function savedWithdrawal(kind: MoneyKind): FilledWithdrawal | undefined {
  if (left?.filled.kind !== kind || left.owner !== user.peek()?.id) return undefined;
  return left.filled;
}

export function discardWithdrawal(kind: MoneyKind): void {
  if (left?.filled.kind === kind) left = undefined;
}
