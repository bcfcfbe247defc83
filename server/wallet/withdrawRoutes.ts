import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/wallet';
import { type CreatedRow, FEE_FIXED, FEE_RATE, KIND_BANK, KIND_COIN } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { MAX_LINE } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
import { nothing, pageOf } from '../api/fields';
import * as schemas from '../api/wallet';
import type { Db } from '../db/open';
import { Confirmed } from '../http/envelope';
import { decimal, id, integer, oneOf, optional, optionalText, page } from '../http/params';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { WalletCatalogue } from './catalogue';
import type { PayoutMethods } from './payoutMethods';
import type { Withdrawals } from './withdrawals';

export interface WithdrawRouteParts {
  db: Db;
  requests: IdempotentRequests;
  withdrawals: Withdrawals;
  methods: PayoutMethods;
  catalogue: WalletCatalogue;
}

/** Undefined where the parameter is missing: the rules distinguish missing from zero. */
const amount = optional(decimal(toUsd), undefined);
const chosen = optional(integer, 0);
const kind = oneOf(KIND_COIN, KIND_BANK);
const line = optionalText(4 * MAX_LINE);

const kindOf = (type: number): MoneyKind => (type === KIND_COIN ? 'coin' : 'bank');

/** The withdrawal calls (protocol.md#withdrawals) and their payout methods, for real users. */
export function withdrawRoutes(app: FastifyInstance, parts: WithdrawRouteParts): void {
  const { db, requests, withdrawals, methods, catalogue } = parts;

  route(app, api.withdrawCurrencies, {
    params: z.object({ type: optional(kind, KIND_COIN) }),
    data: z.array(schemas.withdrawCurrency),
    handler: ({ params }) =>
      catalogue.withdrawCurrencies
        .filter((currency) => currency.kind === kindOf(params.type))
        .map((currency) => ({
          id: currency.id,
          code: currency.code,
          protocol: currency.protocol,
          draw_rate: toText(currency.fee),
          fee_type: currency.feeType === 'fixed' ? FEE_FIXED : FEE_RATE,
          usd_price: toText(currency.usdPrice),
        })),
  });

  changingRoute(app, requests, api.submitWithdrawal, {
    params: z.object({
      draw_currency_id: chosen,
      number: amount,
      memo: optionalText(),
      draw_method_id: chosen,
    }),
    data: schemas.created,
    async handler({ params, caller }, work) {
      const data: CreatedRow = {
        id: await withdrawals.submit(work, caller.userId, {
          currencyId: params.draw_currency_id,
          methodId: params.draw_method_id,
          amount: params.number,
          memo: params.memo,
        }),
      };
      return new Confirmed(data, 'server.withdrawalSubmitted');
    },
  });

  route(app, api.withdrawalList, {
    params: z.object({ type: optional(kind, KIND_COIN), page }),
    data: pageOf(schemas.withdrawRecord),
    handler: ({ params, caller, language }) =>
      withdrawals.page(caller.userId, kindOf(params.type), params.page, language),
  });

  route(app, api.payoutMethods, {
    // 0 means none (protocol.md#parameters).
    params: z.object({ draw_type: optional(oneOf(0, KIND_COIN, KIND_BANK), 0), draw_id: chosen }),
    data: z.array(schemas.payoutMethod),
    handler: ({ params, caller }) => {
      const of = params.draw_type === 0 ? undefined : kindOf(params.draw_type);
      return methods.list(db, caller.userId, of, params.draw_id);
    },
  });

  changingRoute(app, requests, api.addPayoutMethod, {
    params: z.object({
      draw_id: chosen,
      type: kind,
      dc_address: line,
      bank_name: line,
      bank_address: line,
      bank_swift: line,
      branch_name: line,
      payee_name: line,
      payee_account: line,
      remark: line,
    }),
    data: schemas.created,
    handler: async ({ params, caller }, work) => ({
      id: await methods.add(work, caller.userId, kindOf(params.type), params.draw_id, {
        address: params.dc_address,
        bankName: params.bank_name,
        bankAddress: params.bank_address,
        bankSwift: params.bank_swift,
        branchName: params.branch_name,
        payeeName: params.payee_name,
        payeeAccount: params.payee_account,
        remark: params.remark,
      }),
    }),
  });

  changingRoute(app, requests, api.deletePayoutMethod, {
    params: z.object({ id }),
    data: nothing,
    async handler({ params, caller }, work) {
      await methods.remove(work, caller.userId, params.id);
      return new Confirmed(null, 'server.methodDeleted');
    },
  });
}
