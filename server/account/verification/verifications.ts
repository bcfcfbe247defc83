import { and, asc, desc, eq, ne } from 'drizzle-orm';
import type { RealNameParams } from '#domain/api/account';
import type { UnixMs } from '#domain/core/units';
import type { Db } from '../../db/open';
import { users, verifications } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import type { Review, ReviewQueue } from '../../desk/reviewQueue';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { Pictures } from '../../uploads/pictures';

export interface VerificationOptions {
  db: Db;
  pictures: Pictures;
  now(): UnixMs;
}

export type VerificationRecord = typeof verifications.$inferSelect;

/** Who users say they are, and what reviewers make of it (§4: 0, 1, 2, and back to 0 when rejected). */
export class Verifications implements ReviewQueue {
  readonly kind = 'verification';
  private readonly options: VerificationOptions;

  constructor(options: VerificationOptions) {
    this.options = options;
  }

  /** Throws a Refusal while one is under review or finished, and of pictures that are not the user's own. */
  async submit(work: UnitOfWork, userId: number, params: RealNameParams): Promise<void> {
    const { tx } = work;
    const [open] = await tx
      .select({ status: verifications.status })
      .from(verifications)
      .where(and(eq(verifications.userId, userId), ne(verifications.status, 'rejected')));
    if (open) {
      const reviewing = open.status === 'reviewing';
      throw new Refusal(
        CODE_REFUSED,
        reviewing ? 'server.verificationReviewing' : 'server.verificationFinished',
      );
    }
    const { pictures, now } = this.options;
    const frontPicture = await pictures.claim(tx, userId, params.front_pic, this.kind);
    const reversePicture = await pictures.claim(tx, userId, params.reverse_pic, this.kind);
    if (frontPicture === reversePicture) throw Refusal.ofRule({ key: 'photosEqual' });
    await tx.insert(verifications).values({
      userId,
      name: params.name,
      cardId: params.card_id,
      frontPicture,
      reversePicture,
      submittedAt: new Date(now()),
    });
  }

  /** The user's latest. */
  async latest(userId: number): Promise<VerificationRecord | undefined> {
    const [row] = await this.options.db
      .select()
      .from(verifications)
      .where(eq(verifications.userId, userId))
      .orderBy(desc(verifications.id))
      .limit(1);
    return row;
  }

  async pending(): Promise<Review[]> {
    const rows = await this.options.db
      .select({ id: verifications.id, since: verifications.submittedAt, uid: users.uid })
      .from(verifications)
      .innerJoin(users, eq(users.id, verifications.userId))
      .where(eq(verifications.status, 'reviewing'))
      .orderBy(asc(verifications.id));
    return rows.map(({ id, since, uid }) => ({ id, since: since.getTime(), title: `user ${uid}` }));
  }

  async show(id: number, origin: string): Promise<Record<string, string> | undefined> {
    const [row] = await this.options.db
      .select({ verification: verifications, uid: users.uid })
      .from(verifications)
      .innerJoin(users, eq(users.id, verifications.userId))
      .where(eq(verifications.id, id));
    if (!row) return undefined;
    const { verification, uid } = row;
    const { pictures } = this.options;
    return {
      user: uid,
      status: verification.status,
      submitted: verification.submittedAt.toISOString(),
      reviewed: verification.reviewedAt?.toISOString() ?? '',
      reason: verification.reason,
      name: verification.name,
      number: verification.cardId,
      front: pictures.sign(verification.frontPicture, origin),
      reverse: pictures.sign(verification.reversePicture, origin),
    };
  }

  approve(work: UnitOfWork, id: number): Promise<void> {
    return this.review(work, id, { status: 'verified' });
  }

  reject(work: UnitOfWork, id: number, reason: string): Promise<void> {
    return this.review(work, id, { status: 'rejected', reason });
  }

  private async review(
    { tx }: UnitOfWork,
    id: number,
    outcome: { status: 'verified' | 'rejected'; reason?: string },
  ): Promise<void> {
    const [reviewed] = await tx
      .update(verifications)
      .set({ ...outcome, reviewedAt: new Date(this.options.now()) })
      .where(and(eq(verifications.id, id), eq(verifications.status, 'reviewing')))
      .returning({ id: verifications.id });
    if (!reviewed) throw new Refusal(CODE_REFUSED, 'server.notWaiting');
  }
}
