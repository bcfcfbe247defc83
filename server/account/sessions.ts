import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte, ne } from 'drizzle-orm';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../db/open';
import { sessions, users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { Caller } from '../http/route';

/** A session expires this long after its last use (D13). */
const LIFE_MS = 30 * 86_400_000;
/** The last use is written at most this often. */
const WRITE_EVERY_MS = 86_400_000;
const TOKEN_BYTES = 32;
/** A token in base64url. Anything else is not looked up. */
const TOKEN = /^[\w-]{43}$/;

/** Sessions by token. Only a hash of the token is stored (D13). */
export class Sessions {
  private readonly db: Db;
  private readonly now: () => UnixMs;
  private readonly listeners = new Set<(sessionId: number) => void>();

  constructor(db: Db, now: () => UnixMs) {
    this.db = db;
    this.now = now;
  }

  /** Calls the listener with each session that ended before it expired. */
  onEnd(listener: (sessionId: number) => void): void {
    this.listeners.add(listener);
  }

  /** Opens a session and returns its token, which is stored nowhere. Deletes expired sessions. */
  async open(db: Db, userId: number): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.now();
    await db.delete(sessions).where(lte(sessions.expiresAt, new Date(now)));
    await db.insert(sessions).values({
      userId,
      tokenHash: hashOf(token),
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFE_MS),
    });
    return token;
  }

  /** Returns the user of a token; undefined where the token is unknown or expired. */
  async authenticate(token: string): Promise<Caller | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const now = this.now();
    const [session] = await this.db
      .select({
        sessionId: sessions.id,
        userId: users.id,
        isDemo: users.isDemo,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.tokenHash, hashOf(token)), gt(sessions.expiresAt, new Date(now))));
    if (!session) return undefined;
    const { expiresAt, ...caller } = session;
    if (expiresAt.getTime() < now + LIFE_MS - WRITE_EVERY_MS)
      await this.extend(caller.sessionId, now);
    return caller;
  }

  async end(sessionId: number): Promise<void> {
    await this.db.delete(sessions).where(eq(sessions.id, sessionId));
    for (const listener of this.listeners) listener(sessionId);
  }

  /** Ends all sessions of a user, except the one in `except`. */
  async endAll(work: UnitOfWork, userId: number, except = 0): Promise<void> {
    const ended = await work.tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.id, except)))
      .returning({ id: sessions.id });
    work.onCommit(() => {
      for (const { id } of ended) for (const listener of this.listeners) listener(id);
    });
  }

  private async extend(id: number, now: UnixMs): Promise<void> {
    await this.db
      .update(sessions)
      .set({ expiresAt: new Date(now + LIFE_MS) })
      .where(eq(sessions.id, id));
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
