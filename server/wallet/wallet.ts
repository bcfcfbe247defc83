import type { FastifyInstance } from 'fastify';
import { isZero, negate, sign } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import { availableProblem } from '#domain/trading/available';
import type { Codes } from '../account/codes/codes';
import type { AdminActions } from '../admin/actions';
import type { AdminCommand } from '../admin/commands';
import type { Db } from '../db/database';
import type { Transactions, UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { UserNotices } from '../notify/userNotices';
import type { Pictures } from '../uploads/pictures';
import { SANDBOX, type WalletCatalogue } from './catalogue';
import { walletCommands } from './commands';
import { depositRoutes } from './depositRoutes';
import { Deposits } from './deposits';
import { adjustmentEntry } from './entries';
import { PayoutCodes } from './payoutCodes';
import { PayoutMethods } from './payoutMethods';
import { Withdrawals } from './withdrawals';
import { withdrawRoutes } from './withdrawRoutes';

export interface WalletOptions {
  db: Db;
  transactions: Transactions;
  actions: AdminActions;
  requests: IdempotentRequests;
  ledger: Ledger;
  pictures: Pick<Pictures, 'claim' | 'sign'>;
  available(work: UnitOfWork, userId: number): Promise<Usd>;
  now(): UnixMs;
  codes: Codes;
  notices: UserNotices;
  /** Whether withdrawals and new payout methods need a sent code. */
  drawVerify: boolean;
  /** Hours that a new payout method waits before money is sent to it. */
  payoutWait: number;
  catalogue?: WalletCatalogue;
}

export interface Wallet {
  routes(app: FastifyInstance): void;
  /** What the operator reviews. */
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  /** Undefined: payouts need no code. */
  readonly payoutCodes: PayoutCodes | undefined;
  /** Commands of the operator. */
  readonly commands: readonly AdminCommand[];
  /** Corrects a balance by hand. */
  adjust(work: UnitOfWork, userId: number, amount: Usd, memo: string): Promise<void>;
}

/** Deposits, withdrawals and payout methods. */
export function createWallet({ catalogue = SANDBOX, ...options }: WalletOptions): Wallet {
  const methods = new PayoutMethods({ ...options, waitHours: options.payoutWait, catalogue });
  const deposits = new Deposits({ ...options, catalogue });
  const withdrawals = new Withdrawals({ ...options, methods, catalogue });
  const payoutCodes = options.drawVerify
    ? new PayoutCodes({ ...options, withdrawals, methods })
    : undefined;
  const adjust: Wallet['adjust'] = (work, userId, amount, memo) =>
    adjustBalance(work, options, userId, amount, memo);
  return {
    deposits,
    withdrawals,
    payoutCodes,
    commands: walletCommands({ ...options, deposits, adjust }),
    adjust,
    routes(app) {
      depositRoutes(app, { ...options, deposits, catalogue });
      withdrawRoutes(app, { ...options, withdrawals, methods, catalogue, payoutCodes });
    },
  };
}

interface AdjustParts {
  ledger: Ledger;
  available(work: UnitOfWork, userId: number): Promise<Usd>;
}

/**
 * The operator corrects a balance: adds `amount`, or takes it where it is negative, at most the
 * available balance. The user reads `memo` in the records (domain.md#financial-records).
 */
async function adjustBalance(
  work: UnitOfWork,
  { ledger, available }: AdjustParts,
  userId: number,
  amount: Usd,
  memo: string,
): Promise<void> {
  if (isZero(amount) || memo.trim() === '') {
    throw new Refusal(CODE_REFUSED, 'server.adjustmentEmpty');
  }
  const free = await available(work, userId);
  const problem = sign(amount) < 0 ? availableProblem(negate(amount), free) : undefined;
  if (problem) throw Refusal.ofRule(problem.message);
  await ledger.post(work, [adjustmentEntry(userId, amount, memo.trim())]);
}
