import { and, desc, eq, inArray } from 'drizzle-orm';
import type { NoticeKind } from '#domain/account/notices';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { pushSubscriptions, sessions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { Refusal } from '../http/refusal';
import type { Caller } from '../http/route';
import type { Recipient } from './pushService';

/** A browser as it asks for messages. */
export interface NewSubscription extends Recipient {
  kinds: NoticeKind[];
  details: boolean;
  language: Language;
}

/** Most browsers of a user; another one takes the place of the one that was renewed longest ago. */
const MOST_OF_USER = 20;

interface Known {
  userId: number;
  sessionId: number;
  kinds: readonly NoticeKind[];
}

/** The browsers that take messages, by the session that added them: they go with it. */
export class PushSubscriptions {
  private readonly db: Db;
  private readonly now: () => UnixMs;
  private stale = true;
  /** All that are stored: whom to warn of their margin is asked each second. */
  private readonly known = new Map<number, Known>();

  constructor(db: Db, now: () => UnixMs) {
    this.db = db;
    this.now = now;
  }

  /** What is stored is read again before its next use. */
  forget(): void {
    this.stale = true;
  }

  /** Reads what is stored, where that is not known. Not beside an `add`. */
  async ready(db: Db): Promise<void> {
    if (!this.stale) return;
    this.stale = false;
    const { id, userId, sessionId, kinds } = pushSubscriptions;
    const stored = await db
      .select({ id, userId, sessionId, kinds })
      .from(pushSubscriptions)
      .catch((error: unknown) => {
        this.stale = true;
        throw error;
      });
    this.known.clear();
    for (const { id: subscription, ...rest } of stored) this.known.set(subscription, rest);
  }

  /** Users who are told this kind, one for each of their browsers. */
  usersOf(kind: NoticeKind): number[] {
    return [...this.known.values()].flatMap(({ userId, kinds }) =>
      kinds.includes(kind) ? userId : [],
    );
  }

  /** Adds the caller's browser, or changes what it takes; one of another user or session is his from now on. */
  async add(work: UnitOfWork, { userId, sessionId }: Caller, asked: NewSubscription) {
    const { tx } = work;
    // Locked: a session that ends meanwhile takes the browser with it.
    const [session] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.id, sessionId))
      .for('share');
    if (!session) throw Refusal.signedOut();
    const values = { ...asked, userId, sessionId, renewedAt: new Date(this.now()) };
    const [added] = await tx
      .insert(pushSubscriptions)
      .values(values)
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values })
      .returning({ id: pushSubscriptions.id });
    const old = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(desc(pushSubscriptions.renewedAt), desc(pushSubscriptions.id))
      .offset(MOST_OF_USER);
    const replaced = await tx
      .delete(pushSubscriptions)
      .where(inArray(pushSubscriptions.id, old))
      .returning({ id: pushSubscriptions.id });
    work.onCommit(() => {
      for (const { id } of replaced) this.known.delete(id);
      if (added) this.known.set(added.id, { userId, sessionId, kinds: asked.kinds });
    });
  }

  /** Deletes the user's browser, if it is there. */
  async delete(work: UnitOfWork, userId: number, endpoint: string): Promise<void> {
    const own = and(eq(pushSubscriptions.userId, userId), eq(pushSubscriptions.endpoint, endpoint));
    const deleted = await work.tx
      .delete(pushSubscriptions)
      .where(own)
      .returning({ id: pushSubscriptions.id });
    work.onCommit(() => {
      for (const { id } of deleted) this.known.delete(id);
    });
  }

  /** Deletes a browser that takes no more. */
  async gone(id: number): Promise<void> {
    await this.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
    this.known.delete(id);
  }

  /** The database has deleted those of these sessions with them. */
  sessionsEnded(sessionIds: ReadonlySet<number>): void {
    for (const [id, known] of this.known)
      if (sessionIds.has(known.sessionId)) this.known.delete(id);
  }
}
