import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AccountFiguresRow, DemoResetRow } from '#domain/api/trading';
import type { BalanceRow, RecordPageRow } from '#domain/api/wallet';
import type { Db } from '../db/open';
import type { UnitOfWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
import { page } from '../http/params';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import { financialRecords } from '../ledger/records';
import type { MatchingEngine } from './matchingEngine';
import type { Portfolio } from './portfolio';
import { usdText } from './rows';

export interface BalanceRouteParts {
  db: Db;
  requests: IdempotentRequests;
  engine: MatchingEngine;
  portfolio: Portfolio;
  /** What else begins anew with a demo account. */
  resets: ReadonlySet<ResetHook>;
}

/** Clears away what a demo account has elsewhere, in the transaction of its reset. */
export type ResetHook = (work: UnitOfWork, userId: number) => Promise<void>;

/** Balances, figures and records of §7, and the reset of a demo account. */
export function balanceRoutes(app: FastifyInstance, parts: BalanceRouteParts): void {
  const { db, requests, engine, portfolio, resets } = parts;

  route(app, {
    method: 'GET',
    url: '/v1/api/main/wallet/getBalance',
    auth: true,
    handler: ({ caller }): Promise<BalanceRow> => portfolio.balance(caller.userId),
  });

  route(app, {
    method: 'GET',
    url: '/v1/api/main/account/forexDetail',
    auth: true,
    handler: ({ caller }): Promise<AccountFiguresRow> => portfolio.figures(caller.userId),
  });

  route(app, {
    method: 'GET',
    url: '/v1/api/main/accountLog/forexChange',
    params: z.object({ page }),
    auth: true,
    handler: ({ params, caller, language }): Promise<RecordPageRow> =>
      financialRecords(db, caller.userId, params.page, language),
  });

  changingRoute(app, requests, {
    method: 'GET',
    url: '/v1/api/main/user/resetForexDemoAccount',
    params: z.object({}),
    async handler({ caller }, work) {
      if (!caller.isDemo) throw new Refusal(CODE_REFUSED, 'server.demoOnly');
      const data: DemoResetRow = { balance: usdText(await engine.reset(work, caller.userId)) };
      for (const reset of resets) await reset(work, caller.userId);
      return new Confirmed(data, 'server.demoReset');
    },
  });
}
