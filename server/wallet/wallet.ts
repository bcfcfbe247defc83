import type { FastifyInstance } from 'fastify';
import type { UnixMs, Usd } from '#domain/core/units';
import type { Db } from '../db/open';
import type { UnitOfWork } from '../db/unitOfWork';
import type { Changes } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { Pictures } from '../uploads/pictures';
import { adjustBalance } from './adjustment';
import { SANDBOX, type WalletCatalogue } from './catalogue';
import { depositRoutes } from './depositRoutes';
import { Deposits } from './deposits';
import { PayoutMethods } from './payoutMethods';
import { Withdrawals } from './withdrawals';
import { withdrawRoutes } from './withdrawRoutes';

export interface WalletOptions {
  db: Db;
  changes: Changes;
  ledger: Ledger;
  pictures: Pick<Pictures, 'claim' | 'sign'>;
  freeBalance(work: UnitOfWork, userId: number): Promise<Usd>;
  now(): UnixMs;
  catalogue?: WalletCatalogue;
}

export interface Wallet {
  routes(app: FastifyInstance): void;
  /** What the desk reviews. */
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  /** What the desk puts right by hand. */
  adjust(work: UnitOfWork, userId: number, amount: Usd, memo: string): Promise<void>;
}

/** Money that comes in and goes out, reviewed by the desk. */
export function createWallet({ catalogue = SANDBOX, ...options }: WalletOptions): Wallet {
  const methods = new PayoutMethods({ ...options, catalogue });
  const deposits = new Deposits({ ...options, catalogue });
  const withdrawals = new Withdrawals({ ...options, methods, catalogue });
  return {
    deposits,
    withdrawals,
    adjust: (work, userId, amount, memo) => adjustBalance(work, options, userId, amount, memo),
    routes(app) {
      depositRoutes(app, { ...options, deposits, catalogue });
      withdrawRoutes(app, { ...options, withdrawals, methods, catalogue });
    },
  };
}
