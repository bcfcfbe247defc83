import { z } from 'zod';
import { KIND_COIN } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { MAX_LINE } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
import { decimal, integer, optional, optionalText } from '../http/params';
import type { NewMethod } from './payoutMethods';
import type { WithdrawalRequest } from './withdrawals';

const chosen = optional(integer, 0);
const line = optionalText(4 * MAX_LINE);

/** Parameters of draw, and of a code for it. */
export const drawParams = {
  draw_currency_id: chosen,
  // Undefined where the parameter is missing: the rules distinguish missing from zero.
  number: optional(decimal(toUsd), undefined),
  memo: optionalText(),
  draw_method_id: chosen,
};

/** Parameters of bind_draw_method, and of a code for it. The kind follows from the currency. */
export const bindParams = {
  draw_id: chosen,
  dc_address: line,
  bank_name: line,
  bank_address: line,
  bank_swift: line,
  branch_name: line,
  payee_name: line,
  payee_account: line,
  remark: line,
};

const draw = z.object(drawParams);
const bind = z.object(bindParams);

export function requestOf(params: z.output<typeof draw>): WithdrawalRequest {
  return {
    currencyId: params.draw_currency_id,
    methodId: params.draw_method_id,
    amount: params.number,
    memo: params.memo,
  };
}

export function methodOf(kind: MoneyKind, params: z.output<typeof bind>): NewMethod {
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

export const kindOf = (type: number): MoneyKind => (type === KIND_COIN ? 'coin' : 'bank');

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
