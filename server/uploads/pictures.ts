import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, count, eq, gt, lte, ne, notExists, type SQL } from 'drizzle-orm';
import { DAY_MS, toDurationMs, type UnixMs } from '#domain/core/time';
import { Quota } from '../account/limits/counters';
import { inOrder } from '../core/inOrder';
import type { Db, Tx } from '../db/database';
import { deposits, pictures } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { reencode } from './reencode';

export interface PictureOptions {
  db: Db;
  /** Outside the directories that are served. */
  directory: string;
  /** Key of the signatures. */
  key: Buffer;
  /** The engine that has the pictures, as a gateway has to know; absent where one has all. */
  shard?: number | undefined;
  now(): UnixMs;
}

/** A picture that is kept. */
export type KeptPicture = Pick<typeof pictures.$inferSelect, 'id' | 'hash'>;

export type PictureUse = Exclude<typeof pictures.$inferSelect.keptFor, '' | 'erased'>;

/** How long a signed address is valid (protocol.md#uploads). */
const SIGNED_FOR_MS = toDurationMs(5 * 60_000);
const MAX_A_DAY = 50;
export const PICTURE_PATH = '/api/common/image/';
const NAME = /\/api\/common\/image\/([\w-]{22})(?:$|[?#])/;

/** Pictures of users, visible to the owner and to reviewers. */
export class Pictures {
  private readonly options: PictureOptions;
  /** What is no picture leaves no row, but may have been as much work. */
  private readonly attempts: Quota;

  constructor(options: PictureOptions) {
    this.options = options;
    this.attempts = new Quota(MAX_A_DAY, options.now, DAY_MS);
  }

  /** Stores a picture for a day; `claim` keeps it permanently. Returns its id. Throws a Refusal. */
  async add(ownerId: number, bytes: Buffer): Promise<string> {
    const { db, directory, now } = this.options;
    if (this.attempts.take(`${ownerId}`) > 0) throw exhausted();
    const id = randomBytes(16).toString('base64url');
    // Insert the row first: a file without a row would never be deleted.
    await db.insert(pictures).values({ id, ownerId, createdAt: new Date(now()) });
    try {
      await this.checkQuota(ownerId);
      const picture = await reencode(bytes);
      const hash = createHash('sha256').update(picture).digest('hex');
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(this.path(id), picture, { mode: 0o600, flush: true });
      const unerased = and(eq(pictures.id, id), eq(pictures.keptFor, ''));
      const kept = await db.update(pictures).set({ hash }).where(unerased).returning();
      // The account was closed meanwhile.
      if (kept.length === 0) throw new Refusal(CODE_REFUSED, 'server.pictureUnknown');
    } catch (error) {
      // On a full disk a part of the file remains.
      await this.remove(id).catch(() => {});
      throw error;
    }
    return id;
  }

  /**
   * Keeps the picture of an address that `sign` returned, expired or not. Throws a Refusal of
   * unknown pictures and those of other users.
   */
  async claim(tx: Tx, ownerId: number, url: string, use: PictureUse): Promise<KeptPicture> {
    const id = NAME.exec(url)?.[1] ?? '';
    const own = and(eq(pictures.id, id), eq(pictures.ownerId, ownerId));
    const [claimed] = await tx
      .update(pictures)
      .set({ keptFor: use })
      .where(and(own, ne(pictures.keptFor, 'erased')))
      .returning({ id: pictures.id, hash: pictures.hash });
    if (!claimed) throw new Refusal(CODE_REFUSED, 'server.pictureUnknown');
    return claimed;
  }

  /**
   * Returns an address that opens the picture for five minutes without a header. `origin` is like
   * `https://api.example.com`.
   */
  sign(id: string, origin: string): string {
    const expires = this.options.now() + SIGNED_FOR_MS;
    const { shard } = this.options;
    const engine = shard === undefined ? '' : `&engine=${shard}`;
    return `${origin}${PICTURE_PATH}${id}?expires=${expires}&signature=${this.signature(id, expires)}${engine}`;
  }

  isSigned(id: string, expires: number, signature: string): boolean {
    const given = Buffer.from(signature);
    const right = Buffer.from(this.signature(id, expires));
    return (
      given.length === right.length && timingSafeEqual(given, right) && expires > this.options.now()
    );
  }

  async isOwner(id: string, userId: number): Promise<boolean> {
    const owned = and(eq(pictures.id, id), eq(pictures.ownerId, userId));
    const rows = await this.options.db.select({ id: pictures.id }).from(pictures).where(owned);
    return rows.length > 0;
  }

  /** The JPEG; undefined where there is none. Check the signature or the owner of `id` first. */
  async read(id: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.path(id));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Erases the pictures of a user; no verification may refer to them any more. */
  async erase({ tx, onCommit }: UnitOfWork, ownerId: number): Promise<void> {
    const ids = await markErased(tx, eq(pictures.ownerId, ownerId));
    onCommit(() => {
      // What fails here is repeated within an hour.
      void this.removeAll(ids).catch(() => {});
    });
  }

  /** Removes pictures that nothing uses, and what a former process has left of erased ones. */
  async removeOld(): Promise<void> {
    const { db, now } = this.options;
    const aged = lte(pictures.createdAt, new Date(now() - DAY_MS));
    await markErased(db, and(eq(pictures.keptFor, ''), aged));
    const isErased = eq(pictures.keptFor, 'erased');
    const erased = await db.select({ id: pictures.id }).from(pictures).where(isErased);
    await this.removeAll(erased.map(({ id }) => id));
  }

  private async checkQuota(ownerId: number): Promise<void> {
    const { db, now } = this.options;
    const recent = gt(pictures.createdAt, new Date(now() - DAY_MS));
    const [row] = await db
      .select({ count: count() })
      .from(pictures)
      .where(and(eq(pictures.ownerId, ownerId), recent));
    if (row && row.count > MAX_A_DAY) throw exhausted();
  }

  private removeAll(ids: readonly string[]): Promise<void> {
    return inOrder(ids.map((id) => () => this.remove(id)));
  }

  /**
   * Removes the file, then the row, without which nothing would know of the file. The row of a picture that proves a deposit
   * stays, so that it proves no other one.
   */
  private async remove(id: string): Promise<void> {
    const { db } = this.options;
    await rm(this.path(id), { force: true });
    const own = eq(pictures.id, id);
    // What it was kept for last does not tell: a proof may be in a verification, too.
    const proven = db.select().from(deposits).where(eq(deposits.proof, pictures.id));
    await db.delete(pictures).where(and(own, notExists(proven)));
    await db.update(pictures).set({ keptFor: 'deposit' }).where(own);
  }

  private path(id: string): string {
    return join(this.options.directory, `${id}.jpg`);
  }

  private signature(id: string, expires: number): string {
    return createHmac('sha256', this.options.key).update(`${id} ${expires}`).digest('base64url');
  }
}

function exhausted(): Refusal {
  return new Refusal(CODE_REFUSED, 'server.picturesExhausted');
}

/** Nobody can claim these any more. Returns their ids. */
async function markErased(db: Db | Tx, which: SQL | undefined): Promise<string[]> {
  const erased = { keptFor: 'erased' } as const;
  const rows = await db.update(pictures).set(erased).where(which).returning({ id: pictures.id });
  return rows.map(({ id }) => id);
}
