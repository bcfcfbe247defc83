import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type CreatedRow,
  FEE_FIXED,
  FEE_RATE,
  KIND_BANK,
  KIND_COIN,
  type WithdrawCurrencyRow,
} from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { MAX_LINE } from '#domain/wallet/rules';
import type { MoneyKind } from '#domain/wallet/wallet';
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

/** Undefined where nothing was sent: the rules tell "nothing" from "zero". */
const amount = optional(decimal(toUsd), undefined);
const chosen = optional(integer, 0);
const kind = oneOf(KIND_COIN, KIND_BANK);
const line = optionalText(4 * MAX_LINE);

const kindOf = (type: number): MoneyKind => (type === KIND_COIN ? 'coin' : 'bank');

/** The withdrawal calls of §7, with the methods that they go to; for real users. */
export function withdrawRoutes(app: FastifyInstance, parts: WithdrawRouteParts): void {
  const { db, requests, withdrawals, methods, catalogue } = parts;
  const real = { auth: true, account: 'real' } as const;

  route(app, {
    method: 'GET',
    url: '/api/account/draw_symbol_list',
    params: z.object({ type: optional(kind, KIND_COIN) }),
    ...real,
    handler: ({ params }): WithdrawCurrencyRow[] =>
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

  changingRoute(app, requests, {
    method: 'POST',
    url: '/api/account/draw',
    params: z.object({
      draw_currency_id: chosen,
      number: amount,
      memo: optionalText(),
      draw_method_id: chosen,
    }),
    account: 'real',
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

  route(app, {
    method: 'GET',
    url: '/api/account/draw_list',
    params: z.object({ type: optional(kind, KIND_COIN), page }),
    ...real,
    handler: ({ params, caller, language }) =>
      withdrawals.page(caller.userId, kindOf(params.type), params.page, language),
  });

  route(app, {
    method: 'GET',
    url: '/api/wallet/get_draw_method',
    // protocol.md, Parameters: 0 is none.
    params: z.object({ draw_type: optional(oneOf(0, KIND_COIN, KIND_BANK), 0), draw_id: chosen }),
    ...real,
    handler: ({ params, caller }) => {
      const of = params.draw_type === 0 ? undefined : kindOf(params.draw_type);
      return methods.list(db, caller.userId, of, params.draw_id);
    },
  });

  changingRoute(app, requests, {
    method: 'POST',
    url: '/api/wallet/bind_draw_method',
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
    account: 'real',
    handler: async ({ params, caller }, work): Promise<CreatedRow> => ({
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

  changingRoute(app, requests, {
    method: 'POST',
    url: '/api/wallet/del_draw_method',
    params: z.object({ id }),
    account: 'real',
    async handler({ params, caller }, work) {
      await methods.remove(work, caller.userId, params.id);
      return new Confirmed(null, 'server.methodDeleted');
    },
  });
}
