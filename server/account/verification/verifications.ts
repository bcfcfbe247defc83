import { and, desc, eq, ne } from 'drizzle-orm';
import type { RealNameParams } from '#domain/api/account';
import type { UnixMs } from '#domain/core/time';
import { createReviewQueue, type ReviewQueue } from '../../admin/reviewQueue';
import type { Db } from '../../db/database';
import { verifications } from '../../db/schema';
import type { UnitOfWork } from '../../db/transactions';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import type { Pictures } from '../../uploads/pictures';

export interface VerificationOptions {
  db: Db;
  pictures: Pictures;
  now(): UnixMs;
}

export type VerificationRecord = typeof verifications.$inferSelect;

/** Users' proofs of identity and their reviews (domain.md#verification). */
export class Verifications {
  readonly reviews: ReviewQueue;
  private readonly options: VerificationOptions;

  constructor(options: VerificationOptions) {
    this.options = options;
    this.reviews = verificationQueue(options);
  }

  /**
   * Throws a Refusal while another one is under review or verified, and of pictures of other users.
   */
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
    const front = await pictures.claim(tx, userId, params.front_pic, 'verification');
    const reverse = await pictures.claim(tx, userId, params.reverse_pic, 'verification');
    if (front.id === reverse.id) throw Refusal.ofRule({ key: 'photosEqual' });
    await tx.insert(verifications).values({
      userId,
      name: params.name,
      cardId: params.card_id,
      frontPicture: front.id,
      reversePicture: reverse.id,
      submittedAt: new Date(now()),
    });
  }

  /** The user's latest submission. */
  async latest(userId: number): Promise<VerificationRecord | undefined> {
    const [row] = await this.options.db
      .select()
      .from(verifications)
      .where(eq(verifications.userId, userId))
      .orderBy(desc(verifications.submittedAt), desc(verifications.id))
      .limit(1);
    return row;
  }
}

function verificationQueue({ db, pictures, now }: VerificationOptions): ReviewQueue {
  return createReviewQueue(verifications, {
    db,
    kind: 'verification',
    pendingStatus: 'reviewing',
    submittedAt: ({ submittedAt }) => submittedAt,
    title: () => '',
    details: (row, origin) => ({
      submitted: row.submittedAt.toISOString(),
      reviewed: row.reviewedAt?.toISOString() ?? '',
      reason: row.reason,
      name: row.name,
      number: row.cardId,
      front: pictures.sign(row.frontPicture, origin),
      reverse: pictures.sign(row.reversePicture, origin),
    }),
    async approve({ update }) {
      await update({ status: 'verified', reviewedAt: new Date(now()) });
    },
    async reject({ update }, reason) {
      await update({ status: 'rejected', reason, reviewedAt: new Date(now()) });
    },
  });
}
