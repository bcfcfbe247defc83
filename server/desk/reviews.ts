import type { Transactions } from '../db/transactions';
import type { ReviewQueue } from './reviewQueue';

/** All review queues, and their decisions as units of work. */
export class Reviews {
  readonly queues: readonly ReviewQueue[];
  private readonly transactions: Transactions;

  constructor(transactions: Transactions, queues: readonly ReviewQueue[]) {
    this.transactions = transactions;
    this.queues = queues;
  }

  find(kind: string): ReviewQueue | undefined {
    return this.queues.find((queue) => queue.kind === kind);
  }

  approve(queue: ReviewQueue, id: number): Promise<void> {
    return this.transactions.run((work) => queue.approve(work, id));
  }

  reject(queue: ReviewQueue, id: number, reason: string): Promise<void> {
    return this.transactions.run((work) => queue.reject(work, id, reason));
  }
}
