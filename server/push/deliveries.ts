import { and, asc, eq, gt, lte, min, notInArray, sql } from 'drizzle-orm';
import {
  type DurationMs,
  timeAfter,
  timeBetween,
  timeOf,
  toDurationMs,
  type UnixMs,
} from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import { notices, pushDeliveries, pushSubscriptions } from '../db/schema';
import { isUnavailable } from '../db/unavailable';
import type { MessageWriter } from './messageWriter';
import type { Outcome, PushService } from './pushService';
import type { PushSubscriptions } from './pushSubscriptions';

export interface DeliveryOptions {
  db: Db;
  clock: Clock;
  now(): UnixMs;
  log: Log;
  service: PushService;
  subscriptions: PushSubscriptions;
  messages: MessageWriter;
}

/** Most messages on their way at the same time. */
const PARALLEL = 32;
/** Most of them to one user: a browser's address is any that its user names, perhaps one that never answers. */
const PARALLEL_OF_USER = 4;
/** Nobody is told what is older than this. */
const LASTS_MS = toDurationMs(4 * 3_600_000);
/** Waits before the second and further tries; before all after these the longest. */
const RETRIES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000].map(toDurationMs);
const LONGEST_MS = toDurationMs(3_600_000);
const NEVER = toDurationMs(Number.POSITIVE_INFINITY);
/** After a fault of our own, or of the database. */
const PAUSE_MS = toDurationMs(5_000);

type Failure = Exclude<Outcome, { type: 'accepted' } | { type: 'gone' }>;
type Due = Awaited<ReturnType<Deliveries['due']>>[number];

/**
 * Sends what the outbox holds, each message at least once: a delivery is deleted after the push service has accepted it.
 */
export class Deliveries {
  private readonly options: DeliveryOptions;
  private readonly sending = new Map<number, Promise<void>>();
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private cancel = () => {};

  constructor(options: DeliveryOptions) {
    this.options = options;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.stopped) return;
    this.again = true;
    this.running ??= this.run();
  }

  /** Breaks off what is on its way, and resolves then; it stays in the outbox, for the next process. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    this.options.service.close();
    await this.running;
    await Promise.all(this.sending.values());
  }

  private async run(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      this.cancel();
      try {
        const at = new Date(this.options.now());
        for (const delivery of await this.due(at)) this.start(delivery);
        if (this.sending.size < PARALLEL) await this.sleep(at);
      } catch (error) {
        this.pause(error);
      }
    }
    // In the same moment as the last look at `again`: whoever wakes later starts it anew.
    this.running = undefined;
  }

  private due(at: Date) {
    const { db } = this.options;
    const free = PARALLEL - this.sending.size;
    const { id, failures, dueAt, subscriptionId } = pushDeliveries;
    const waits = notInArray(id, [...this.sending.keys()]);
    // Those on their way count first.
    const order = sql`partition by ${pushSubscriptions.userId} order by ${waits}, ${failures}, ${id}`;
    const numbered = db
      .select({
        id,
        waits: waits.as('waits'),
        number: sql<number>`row_number() over (${order})`.as('number'),
      })
      .from(pushDeliveries)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, subscriptionId))
      .where(lte(dueAt, at))
      .as('numbered');
    return (
      db
        .select({
          id,
          failures,
          notice: notices,
          to: pushSubscriptions,
        })
        .from(numbered)
        .innerJoin(pushDeliveries, eq(id, numbered.id))
        .innerJoin(notices, eq(notices.id, pushDeliveries.noticeId))
        .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, subscriptionId))
        .where(and(numbered.waits, lte(numbered.number, PARALLEL_OF_USER)))
        // A push service that fails slowly does not hold up the first tries of others.
        .orderBy(asc(failures), asc(id))
        .limit(free)
    );
  }

  /** Wakes when the next one is due. Those that were due and did not start wait for one that is on its way. */
  private async sleep(looked: Date): Promise<void> {
    const { db, clock, now } = this.options;
    const [next] = await db
      .select({ at: min(pushDeliveries.dueAt) })
      .from(pushDeliveries)
      .where(gt(pushDeliveries.dueAt, looked));
    if (!next?.at || this.stopped) return;
    const wait = timeBetween(now(), timeOf(next.at));
    // It came due after `due` has looked.
    if (wait <= 0) this.again = true;
    else this.cancel = clock.after(wait, () => this.wake());
  }

  private start(delivery: Due): void {
    const sent = this.deliver(delivery).then(
      () => {
        this.sending.delete(delivery.id);
        this.wake();
      },
      (error) => {
        this.sending.delete(delivery.id);
        this.pause(error);
      },
    );
    this.sending.set(delivery.id, sent);
  }

  /** What went wrong is most likely still wrong. */
  private pause(error: unknown): void {
    const { log, clock } = this.options;
    if (!isUnavailable(error)) log.error(`push: ${errorText(error)}`);
    this.cancel();
    if (!this.stopped) this.cancel = clock.after(PAUSE_MS, () => this.wake());
  }

  private async deliver({ id, failures, notice, to }: Due): Promise<void> {
    const { service, messages, subscriptions, now } = this.options;
    const ends = timeAfter(timeOf(notice.createdAt), LASTS_MS);
    const lasts = timeBetween(now(), ends);
    if (lasts <= 0) return this.forget(id);
    const outcome = await messages
      .write(notice, to)
      .then((message) => service.send(to, { ...message, lasts }))
      .catch((error: unknown) => this.fault(error));
    if (outcome.type === 'gone') return subscriptions.gone(to.id);
    if (outcome.type === 'accepted') return this.forget(id);
    // Broken off by us.
    if (this.stopped && outcome.type === 'failed') return;
    await this.tryAgain(id, failures, outcome, ends);
  }

  /** A message with a fault of its own waits as others do: it would be due first, before those of everybody else. */
  private fault(error: unknown): Failure {
    if (isUnavailable(error)) throw error;
    this.options.log.error(`push: ${errorText(error)}`);
    return { type: 'failed', reason: 'fault', retryAfter: undefined };
  }

  private async tryAgain(
    id: number,
    failures: number,
    outcome: Failure,
    ends: UnixMs,
  ): Promise<void> {
    const { db, log, now } = this.options;
    const wait = waitOf(failures, outcome);
    const due = timeAfter(now(), wait);
    const isOver = due >= ends;
    const next = isOver ? 'given up' : `next try in ${wait / 1000} s`;
    // The address is a secret of the browser.
    log.warn(`push message not delivered (${outcome.reason}), ${next}`);
    if (isOver) return this.forget(id);
    await db
      .update(pushDeliveries)
      .set({ failures: failures + 1, dueAt: new Date(due) })
      .where(eq(pushDeliveries.id, id));
  }

  private async forget(id: number): Promise<void> {
    await this.options.db.delete(pushDeliveries).where(eq(pushDeliveries.id, id));
  }
}

/** How long to wait before the next try. */
function waitOf(failures: number, outcome: Failure): DurationMs {
  if (outcome.type !== 'failed') return NEVER;
  const usual = RETRIES_MS[failures] ?? LONGEST_MS;
  return toDurationMs(Math.max(usual, outcome.retryAfter ?? 0));
}
