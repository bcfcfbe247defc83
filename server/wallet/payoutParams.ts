import type { ObjectSchema } from 'valibot';
import type { Read } from '#domain/api/schema';
import type { bindParams, drawParams } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import type { MoneyKind } from '#domain/wallet/wallet';
import type { NewMethod } from './payoutMethods';
import type { WithdrawalRequest } from './withdrawals';

/** Parameters of draw, and of a code for it. */
export type DrawParams = Read<ObjectSchema<typeof drawParams, undefined>>;
/** Parameters of bind_draw_method, and of a code for it. The kind follows from the currency. */
export type BindParams = Read<ObjectSchema<typeof bindParams, undefined>>;

export function requestOf(params: DrawParams): WithdrawalRequest {
  return {
    currencyId: params.draw_currency_id,
    methodId: params.draw_method_id,
    amount: params.number,
    memo: params.memo,
  };
}

export function methodOf(kind: MoneyKind, params: BindParams): NewMethod {
  return {
    kind,
    currencyId: params.draw_id,
    payee: {
      address: params.dc_address,
      bankName: params.bank_name,
      bankAddress: params.bank_address,
      bankSwift: params.bank_swift,
      branchName: params.branch_name,
      payeeName: params.payee_name,
      payeeAccount: params.payee_account,
      remark: params.remark,
    },
  };
}

/** What a code is valid for: exactly one withdrawal, or one payout method. */
export interface PayoutSubject {
  purpose: 'draw' | 'bind';
  text: string;
}

export function withdrawalSubject(request: WithdrawalRequest): PayoutSubject {
  const { currencyId, methodId, amount, memo } = request;
  const text = JSON.stringify([currencyId, methodId, amount ? toText(amount) : '', memo]);
  return { purpose: 'draw', text };
}

/** Blanks around texts do not count: they are not saved. */
export function methodSubject({ currencyId, payee }: NewMethod): PayoutSubject {
  const texts = Object.entries(payee).map(([name, text]) => [name, text.trim()]);
  return { purpose: 'bind', text: JSON.stringify([currencyId, texts.sort()]) };
}
