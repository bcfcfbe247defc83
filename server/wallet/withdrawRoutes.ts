import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as api from '#domain/api/wallet';
import { type CreatedRow, FEE_FIXED, FEE_RATE, KIND_BANK, KIND_COIN } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import { nothing, pageOf } from '../api/fields';
import * as schemas from '../api/wallet';
import type { Db } from '../db/database';
import { Confirmed } from '../http/envelope';
import { id, integer, oneOf, optional, optionalText, page } from '../http/params';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { UserNotices } from '../notify/userNotices';
import type { WalletCatalogue } from './catalogue';
import type { PayoutCodes } from './payoutCodes';
import { type PayoutMethods, payeeText } from './payoutMethods';
import {
  bindParams,
  drawParams,
  kindOf,
  methodOf,
  methodSubject,
  requestOf,
  withdrawalSubject,
} from './payoutParams';
import type { Withdrawals } from './withdrawals';

export interface WithdrawRouteParts {
  db: Db;
  requests: IdempotentRequests;
  withdrawals: Withdrawals;
  methods: PayoutMethods;
  catalogue: WalletCatalogue;
  /** Undefined: withdrawals and new payout methods need no code. */
  payoutCodes: PayoutCodes | undefined;
  notices: UserNotices;
}

const chosen = optional(integer, 0);
const kind = oneOf(KIND_COIN, KIND_BANK);
const smsCode = optionalText(64);

/** The withdrawal calls (protocol.md#withdrawals) and their payout methods, for real users. */
export function withdrawRoutes(app: FastifyInstance, parts: WithdrawRouteParts): void {
  const { db, requests, withdrawals, methods, catalogue, payoutCodes, notices } = parts;

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
    params: z.object({ ...drawParams, sms_code: smsCode }),
    data: schemas.created,
    before: async ({ params, caller: { userId } }) =>
      payoutCodes?.guess(userId, withdrawalSubject(requestOf(params)), params.sms_code),
    async handler({ params, caller: { userId }, language }, work, right = false) {
      const request = requestOf(params);
      const subject = withdrawalSubject(request);
      await payoutCodes?.use(work.tx, userId, subject, params.sms_code, right);
      const { id, method, amount } = await withdrawals.submit(work, userId, request);
      const letter = { amount: toText(amount), to: payeeText(method) };
      await notices.send(work, userId, language, { kind: 'withdrawal', ...letter });
      const data: CreatedRow = { id };
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
    params: z.object({ ...bindParams, type: kind, sms_code: smsCode }),
    data: schemas.created,
    before: async ({ params, caller: { userId } }) => {
      const subject = methodSubject(methodOf(kindOf(params.type), params));
      return payoutCodes?.guess(userId, subject, params.sms_code);
    },
    async handler({ params, caller: { userId }, language }, work, right = false) {
      const method = methodOf(kindOf(params.type), params);
      await payoutCodes?.use(work.tx, userId, methodSubject(method), params.sms_code, right);
      const { id, payee } = await methods.add(work, userId, method);
      const to = payeeText({ ...payee, kind: method.kind });
      await notices.send(work, userId, language, { kind: 'method', to });
      return { id };
    },
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
