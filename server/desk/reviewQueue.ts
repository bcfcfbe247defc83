import type { UnixMs } from '#domain/core/units';
import type { Transactions, UnitOfWork } from '../db/transactions';

/** Something that waits for a decision. */
export interface Review {
  id: number;
  /** The wall clock. */
  since: UnixMs;
  /** What it is, on one line. */
  title: string;
}

/** One kind of thing that people decide on: verifications, deposits, withdrawals, refunds. */
export interface ReviewQueue {
  readonly kind: string;
  /** Oldest first. */
  pending(): Promise<Review[]>;
  /** All that a decision needs, by name; undefined where there is none. `origin` opens pictures. */
  show(id: number, origin: string): Promise<Record<string, string> | undefined>;
  /** Both throw a Refusal of what isn't waiting (any more). `reason` is for the user to read. */
  approve(work: UnitOfWork, id: number): Promise<void>;
  reject(work: UnitOfWork, id: number, reason: string): Promise<void>;
}

/** Everything that is reviewed, whoever reviews it. */
export class Reviews {
  readonly kinds: readonly ReviewQueue[];
  private readonly transactions: Transactions;

  constructor(transactions: Transactions, kinds: readonly ReviewQueue[]) {
    this.transactions = transactions;
    this.kinds = kinds;
  }

  kind(name: string): ReviewQueue | undefined {
    return this.kinds.find(({ kind }) => kind === name);
  }

  approve(reviewed: ReviewQueue, id: number): Promise<void> {
    return this.transactions.run((work) => reviewed.approve(work, id));
  }

  reject(reviewed: ReviewQueue, id: number, reason: string): Promise<void> {
    return this.transactions.run((work) => reviewed.reject(work, id, reason));
  }
}
