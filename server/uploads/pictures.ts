import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, count, eq, gt, lte, notExists } from 'drizzle-orm';
import { DAY_MS, toDurationMs, type UnixMs } from '#domain/core/time';
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

export type PictureUse = Exclude<typeof pictures.$inferSelect.keptFor, ''>;

/** How long a signed address is valid (protocol.md#uploads). */
const SIGNED_FOR_MS = toDurationMs(5 * 60_000);
const PURGED_EVERY_MS = toDurationMs(3_600_000);
const MAX_A_DAY = 50;
export const PICTURE_PATH = '/api/common/image/';
const NAME = /\/api\/common\/image\/([\w-]{22})(?:$|[?#])/;

/** Pictures of users, visible to the owner and to reviewers. */
export class Pictures {
  private readonly options: PictureOptions;
  private purged = 0;

  constructor(options: PictureOptions) {
    this.options = options;
  }

  /** Stores a picture for a day; `claim` keeps it permanently. Returns its id. Throws a Refusal. */
  async add(ownerId: number, bytes: Buffer): Promise<string> {
    const { db, directory, now } = this.options;
    await this.purge();
    const id = randomBytes(16).toString('base64url');
    // Insert the row first: a file without a row would never be deleted.
    await db.insert(pictures).values({ id, ownerId, createdAt: new Date(now()) });
    try {
      await this.checkQuota(ownerId);
      const picture = await reencode(bytes);
      const hash = createHash('sha256').update(picture).digest('hex');
      await db.update(pictures).set({ hash }).where(eq(pictures.id, id));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(this.path(id), picture, { mode: 0o600, flush: true });
    } catch (error) {
      // On a full disk a part of the file remains.
      await inOrder([
        () => rm(this.path(id), { force: true }),
        () => db.delete(pictures).where(eq(pictures.id, id)),
      ]).catch(() => {});
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
    const [claimed] = await tx
      .update(pictures)
      .set({ keptFor: use })
      .where(and(eq(pictures.id, id), eq(pictures.ownerId, ownerId)))
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

  /**
   * Erases the pictures of a user. The rows of those that prove a deposit stay, so that they prove no
   * other one. Throws where a verification still has one.
   */
  async erase({ tx, onCommit }: UnitOfWork, ownerId: number): Promise<void> {
    const owned = eq(pictures.ownerId, ownerId);
    const all = await tx.select({ id: pictures.id }).from(pictures).where(owned);
    // What it was kept for last does not tell: a proof may be in a verification, too.
    const proven = tx.select().from(deposits).where(eq(deposits.proof, pictures.id));
    await tx.delete(pictures).where(and(owned, notExists(proven)));
    onCommit(() => {
      for (const { id } of all) void rm(this.path(id), { force: true }).catch(() => {});
    });
  }

  private async checkQuota(ownerId: number): Promise<void> {
    const { db, now } = this.options;
    const recent = gt(pictures.createdAt, new Date(now() - DAY_MS));
    const [row] = await db
      .select({ count: count() })
      .from(pictures)
      .where(and(eq(pictures.ownerId, ownerId), recent));
    if (row && row.count > MAX_A_DAY) throw new Refusal(CODE_REFUSED, 'server.picturesExhausted');
  }

  /** Deletes pictures that nothing uses. */
  private async purge(): Promise<void> {
    const { db, now } = this.options;
    if (now() - this.purged < PURGED_EVERY_MS) return;
    this.purged = now();
    const aged = lte(pictures.createdAt, new Date(now() - DAY_MS));
    const deleted = await db
      .delete(pictures)
      .where(and(eq(pictures.keptFor, ''), aged))
      .returning({ id: pictures.id });
    for (const { id } of deleted) await rm(this.path(id), { force: true });
  }

  private path(id: string): string {
    return join(this.options.directory, `${id}.jpg`);
  }

  private signature(id: string, expires: number): string {
    return createHmac('sha256', this.options.key).update(`${id} ${expires}`).digest('base64url');
  }
}
