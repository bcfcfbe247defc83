import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/wallet';
import { FEE_FIXED, FEE_RATE } from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import type { Db } from '../db/database';
import { Confirmed } from '../http/envelope';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { UserNotices } from '../notify/userNotices';
import type { WalletCatalogue } from './catalogue';
import type { PayoutCodes } from './payoutCodes';
import { type PayoutMethods, payeeText } from './payoutMethods';
import { methodOf, methodSubject, requestOf, withdrawalSubject } from './payoutParams';
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

/** The withdrawal calls (protocol.md#withdrawals) and their payout methods, for real users. */
export function withdrawRoutes(app: FastifyInstance, parts: WithdrawRouteParts): void {
  const { db, requests, withdrawals, methods, catalogue, payoutCodes, notices } = parts;

  route(app, api.withdrawCurrencies, {
    handler: ({ params }) =>
      catalogue.withdrawCurrencies
        .filter((currency) => currency.kind === params.type)
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
    before: async ({ params, caller: { userId } }) =>
      payoutCodes?.guess(userId, withdrawalSubject(requestOf(params)), params.sms_code),
    async handler({ params, caller: { userId }, language }, work, right = false) {
      const request = requestOf(params);
      const subject = withdrawalSubject(request);
      await payoutCodes?.use(work.tx, userId, subject, params.sms_code, right);
      const { id, method, amount } = await withdrawals.submit(work, userId, request);
      const letter = { amount: toText(amount), to: payeeText(method) };
      await notices.send(work, userId, language, { kind: 'withdrawal', ...letter });
      return new Confirmed({ id }, 'server.withdrawalSubmitted');
    },
  });

  route(app, api.withdrawalList, {
    handler: ({ params, caller, language }) =>
      withdrawals.page(caller.userId, params.type, params.page, language),
  });

  route(app, api.payoutMethods, {
    handler: ({ params, caller }) =>
      methods.list(db, caller.userId, params.draw_type, params.draw_id),
  });

  changingRoute(app, requests, api.addPayoutMethod, {
    before: async ({ params, caller: { userId } }) => {
      const subject = methodSubject(methodOf(params.type, params));
      return payoutCodes?.guess(userId, subject, params.sms_code);
    },
    async handler({ params, caller: { userId }, language }, work, right = false) {
      const method = methodOf(params.type, params);
      await payoutCodes?.use(work.tx, userId, methodSubject(method), params.sms_code, right);
      const { id, payee } = await methods.add(work, userId, method);
      const to = payeeText({ ...payee, kind: method.kind });
      await notices.send(work, userId, language, { kind: 'method', to });
      return { id };
    },
  });

  changingRoute(app, requests, api.deletePayoutMethod, {
    async handler({ params, caller }, work) {
      await methods.remove(work, caller.userId, params.id);
      return new Confirmed(null, 'server.methodDeleted');
    },
  });
}
