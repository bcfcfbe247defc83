import type { FastifyInstance } from 'fastify';
import type { DemoResetRow } from '#domain/api/trading';
import * as tradingApi from '#domain/api/trading';
import * as walletApi from '#domain/api/wallet';
import type { Db } from '../db/database';
import type { UnitOfWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
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
  /** What else a reset of a demo account does. */
  resets: ReadonlySet<ResetHook>;
}

/** Resets what a demo account has in another subject, in the same transaction. */
export type ResetHook = (work: UnitOfWork, userId: number) => Promise<void>;

/** Balances, figures and records (protocol.md#wallet-calls), and the reset of a demo account (protocol.md#demo-reset). */
export function balanceRoutes(app: FastifyInstance, parts: BalanceRouteParts): void {
  const { db, requests, engine, portfolio, resets } = parts;

  route(app, walletApi.balance, {
    handler: ({ caller }) => portfolio.balance(caller.userId),
  });

  route(app, tradingApi.accountSummary, {
    handler: ({ caller }) => portfolio.summary(caller.userId),
  });

  route(app, walletApi.recordList, {
    handler: ({ params, caller, language }) =>
      financialRecords(db, caller.userId, params, language),
  });

  changingRoute(app, requests, tradingApi.resetDemo, {
    async handler({ caller }, work) {
      if (!caller.isDemo) throw new Refusal(CODE_REFUSED, 'server.demoOnly');
      const data: DemoResetRow = { balance: usdText(await engine.reset(work, caller.userId)) };
      for (const reset of resets) await reset(work, caller.userId);
      return new Confirmed(data, 'server.demoReset');
    },
  });
}
