import { randomBytes } from 'node:crypto';
import { and, desc, eq, gt, isNull, lte, ne, notInArray, type SQL } from 'drizzle-orm';
import type { Language } from '#domain/core/language';
import { DAY_MS, timeOf, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { sessions, users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Caller } from '../http/route';
import { tokenHash } from './tokenHash';

/** A session expires this long after its last use (domain.md#sessions). */
export const LIFE_MS = toDurationMs(30 * DAY_MS);
/** The last use is written at most this often. */
export const WRITE_EVERY_MS = DAY_MS;
/** Most sessions of a user: another one ends the one that was used longest ago. */
export const MOST_OF_USER = 100;
const TOKEN_BYTES = 32;

/** At most this many sessions stay in memory. This process is the only one that ends sessions (D52). */
export const MOST_KNOWN = 10_000;

interface KnownSession {
  caller: Caller;
  expiresAt: UnixMs;
  usedAt: UnixMs;
}

/** Where and how a user logs in. */
interface NewSession {
  /** Browser and system; empty where unknown. */
  device: string;
  language: Language;
}

/** A session as its user sees it. */
export interface OpenSession {
  id: number;
  device: string;
  createdAt: UnixMs;
  usedAt: UnixMs;
}

/** Sessions by token. Only a hash of the token is stored. */
export class Sessions {
  private readonly db: Db;
  private readonly now: () => UnixMs;
  private readonly prefix: string;
  private readonly listeners = new Set<(sessionIds: ReadonlySet<number>) => void>();
  /** Sessions in use, by the hash of their token. */
  private readonly known = new Map<string, KnownSession>();
  /** Counts sessions that ended. */
  private endings = 0;

  /** `prefix`: what new tokens begin with, so that gateways find their engine. */
  constructor(db: Db, now: () => UnixMs, prefix = '') {
    this.db = db;
    this.now = now;
    this.prefix = prefix;
  }

  /** Calls the listener with the sessions that have ended together. */
  onEnd(listener: (sessionIds: ReadonlySet<number>) => void): void {
    this.listeners.add(listener);
  }

  /** Opens a session, in a transaction, and returns its token, which is stored nowhere. Throws a Refusal of a locked account. */
  async open(
    work: Pick<UnitOfWork, 'tx' | 'onCommit'>,
    userId: number,
    { device, language }: NewSession,
  ): Promise<string> {
    const { tx } = work;
    const token = this.prefix + randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.now();
    const loggedInAt = new Date(now);
    // It waits for a lock of the account by another process, which then ends the session or is seen.
    const unlocked = await tx
      .update(users)
      .set({ loggedInAt, language })
      .where(and(eq(users.id, userId), isNull(users.lockedAt)))
      .returning({ id: users.id });
    if (unlocked.length === 0) throw new Refusal(CODE_REFUSED, 'server.accountLocked');
    const kept = (await this.list(userId, tx)).slice(0, MOST_OF_USER - 1).map(({ id }) => id);
    await this.endWhere(work, and(eq(sessions.userId, userId), notInArray(sessions.id, kept)));
    await tx.insert(sessions).values({
      userId,
      tokenHash: tokenHash(token) as string,
      device,
      createdAt: loggedInAt,
      expiresAt: new Date(now + LIFE_MS),
    });
    return token;
  }

  /** Returns the user of a token; undefined where the token is unknown or expired. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    return hash === undefined ? undefined : this.authenticateHash(hash);
  }

  /** As `authenticate`, for a gateway, which does not pass tokens on. */
  async authenticateHash(hash: string): Promise<Caller | undefined> {
    const now = this.now();
    const known = this.known.get(hash);
    if (known && known.expiresAt > now + LIFE_MS - WRITE_EVERY_MS) {
      known.usedAt = now;
      this.remember(hash, known);
      return known.caller;
    }
    const endings = this.endings;
    const [session] = await this.db
      .select({
        sessionId: sessions.id,
        userId: users.id,
        isDemo: users.isDemo,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.tokenHash, hash), gt(sessions.expiresAt, new Date(now))));
    if (!session) return undefined;
    const { expiresAt: expiry, ...caller } = session;
    let expiresAt = timeOf(expiry);
    if (expiresAt < now + LIFE_MS - WRITE_EVERY_MS) {
      await this.extend(caller.sessionId, now);
      expiresAt = toUnixMs(now + LIFE_MS);
    }
    // Do not remember a session that ended meanwhile.
    if (endings === this.endings) this.remember(hash, { caller, expiresAt, usedAt: now });
    return caller;
  }

  /** The user's sessions, the last used first. The last use is known exactly while this process runs. */
  async list(userId: number, db: Db = this.db): Promise<OpenSession[]> {
    const rows = await db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(this.now()))))
      .orderBy(desc(sessions.id));
    return rows
      .map(({ id, device, createdAt, expiresAt, tokenHash }) => {
        const written = toUnixMs(timeOf(expiresAt) - LIFE_MS);
        const usedAt = this.known.get(tokenHash)?.usedAt ?? written;
        return { id, device, createdAt: timeOf(createdAt), usedAt };
      })
      .sort((a, b) => b.usedAt - a.usedAt);
  }

  async end(sessionId: number): Promise<void> {
    // Before, so that no request uses it meanwhile; after, in case one was reading it.
    const ids = new Set([sessionId]);
    this.forget(ids);
    await this.db.delete(sessions).where(eq(sessions.id, sessionId));
    this.ended(ids);
  }

  /** Ends all sessions of a user, except the one in `except`. */
  endAll(work: UnitOfWork, userId: number, except = 0): Promise<void> {
    return this.endWhere(work, and(eq(sessions.userId, userId), ne(sessions.id, except)));
  }

  async endExpired(): Promise<void> {
    const expired = await this.db
      .delete(sessions)
      .where(lte(sessions.expiresAt, new Date(this.now())))
      .returning({ id: sessions.id });
    this.ended(new Set(expired.map(({ id }) => id)));
  }

  /** Empties the cache of sessions; they stay valid and are read again. */
  forgetAll(): void {
    this.endings++;
    this.known.clear();
  }

  /** Forgets the one that was not used for longest. */
  private remember(hash: string, session: KnownSession): void {
    this.known.delete(hash);
    this.known.set(hash, session);
    if (this.known.size <= MOST_KNOWN) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }

  private async endWhere(
    { tx, onCommit }: Pick<UnitOfWork, 'tx' | 'onCommit'>,
    which: SQL | undefined,
  ): Promise<void> {
    const ended = await tx.delete(sessions).where(which).returning({ id: sessions.id });
    onCommit(() => this.ended(new Set(ended.map(({ id }) => id))));
  }

  private forget(sessionIds: ReadonlySet<number>): void {
    this.endings++;
    for (const [hash, { caller }] of this.known) {
      if (sessionIds.has(caller.sessionId)) this.known.delete(hash);
    }
  }

  private ended(sessionIds: ReadonlySet<number>): void {
    if (sessionIds.size === 0) return;
    this.forget(sessionIds);
    for (const listener of this.listeners) listener(sessionIds);
  }

  private async extend(id: number, now: UnixMs): Promise<void> {
    await this.db
      .update(sessions)
      .set({ expiresAt: new Date(now + LIFE_MS) })
      .where(eq(sessions.id, id));
  }
}
