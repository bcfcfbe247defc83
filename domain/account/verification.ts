/** Real-name verification (domain.md#verification). */

/** In the order of their numbers on the wire: 0 not submitted (or rejected), 1 under review, 2 certified. */
export const REVIEW_STATUSES = ['none', 'reviewing', 'verified'] as const;
type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What the user submitted and the result of the review (protocol.md#verification-center); empty texts where nothing was submitted. */
export interface Verification {
  status: ReviewStatus;
  name: string;
  cardId: string;
  /** URLs of the photos, valid for five minutes (protocol.md#uploads). */
  front: string;
  reverse: string;
  /** Why the last submission was rejected; empty where none was. */
  reason: string;
}
