/** What users are told while the app is not on screen (domain.md#notices), by kind: each can be switched off. */
export const NOTICE_KINDS = ['alerts', 'orders', 'margin'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
