/** Of a verification (domain.md#verification), in the order of their numbers on the wire: 0 not submitted (or rejected), 1 under review, 2 verified. */
export const REVIEW_STATUSES = ['none', 'reviewing', 'verified'] as const;
