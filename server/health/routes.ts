import type { FastifyInstance } from 'fastify';
import { DEFAULT_LANGUAGE } from '#domain/core/language';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { DatabaseUnavailable } from '../db/unavailable';
import { toEnvelope } from '../http/envelope';

export interface HealthOptions {
  /** Whether the market runs and calls are served. */
  isStarted(): boolean;
  /** Rejects while the database does not answer. */
  askDatabase(): Promise<unknown>;
  clock: Clock;
}

/** The database is asked this often at most, however many ask us. */
const ASK_EVERY_MS = toDurationMs(1_000);
/** A load balancer waits no longer. */
const ANSWER_WITHIN_MS = toDurationMs(2_000);

/**
 * For load balancers and supervisors (operations.md#health): the process answers; the server can do its work. Anybody may
 * ask: the answers tell nothing else.
 */
export function healthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { isStarted, askDatabase, clock } = options;
  let asked: { at: DurationMs; answer: Promise<unknown> } | undefined;
  const database = () => {
    const at = clock.elapsed();
    if (!asked || at - asked.at >= ASK_EVERY_MS) {
      asked = { at, answer: within(clock, askDatabase()) };
      // The next one who asks learns of it.
      asked.answer.catch(() => {});
    }
    return asked.answer;
  };
  const healthy = () => toEnvelope(null, DEFAULT_LANGUAGE);
  const method = ['GET', 'HEAD'];
  app.route({ method, url: '/healthz', handler: healthy });
  const ready = async () => {
    if (!isStarted()) throw new DatabaseUnavailable();
    await database().catch((cause: unknown) => {
      throw new DatabaseUnavailable({ cause });
    });
    return healthy();
  };
  app.route({ method, url: '/readyz', handler: ready });
}

/** Rejects where the work takes longer than a load balancer waits. */
function within<T>(clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ANSWER_WITHIN_MS, () => reject(new DatabaseUnavailable()));
    work.then(resolve, reject).finally(cancel);
  });
}
