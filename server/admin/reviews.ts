import type { UnitOfWork } from '../db/transactions';
import type { AdminActions, Operator } from './actions';
import type { ReviewQueue } from './reviewQueue';

/** All review queues, and their decisions, which the audit log has. */
export class Reviews {
  readonly queues: readonly ReviewQueue[];
  private readonly actions: AdminActions;

  constructor(actions: AdminActions, queues: readonly ReviewQueue[]) {
    this.actions = actions;
    this.queues = queues;
  }

  find(kind: string): ReviewQueue | undefined {
    return this.queues.find((queue) => queue.kind === kind);
  }

  /** Returns what has changed. Throws Unconfirmed where it moves money that nobody has confirmed. */
  approve(operator: Operator, queue: ReviewQueue, id: number): Promise<string> {
    const job = (work: UnitOfWork) => queue.approve(work, id);
    return this.decide(operator, queue, id, { action: 'approve', done: 'approved' }, job);
  }

  /** As `approve`. */
  reject(operator: Operator, queue: ReviewQueue, id: number, reason: string): Promise<string> {
    const job = (work: UnitOfWork) => queue.reject(work, id, reason);
    return this.decide(operator, queue, id, { action: 'reject', done: 'rejected', reason }, job);
  }

  private async decide(
    operator: Operator,
    queue: ReviewQueue,
    id: number,
    { done, ...action }: { action: string; done: string; reason?: string },
    job: (work: UnitOfWork) => Promise<void>,
  ): Promise<string> {
    const user = await queue.ownerOf(id);
    const subject = `${queue.kind} ${id}`;
    return this.actions.run(
      operator,
      { ...action, subject, ...(user && { user }) },
      async (work) => {
        await job(work);
        return `${done}.`;
      },
    );
  }
}
