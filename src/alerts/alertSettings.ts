import { stored } from '../session/stored';

/** What the user can be notified of while the app is not on screen. */
export const NOTICE_KINDS = ['alerts', 'orders', 'margin'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds that are switched off. */
export const silenced = stored<readonly NoticeKind[]>('silenced', [], (value) =>
  Array.isArray(value) ? NOTICE_KINDS.filter((kind) => value.includes(kind)) : undefined,
);

export function setNotified(kind: NoticeKind, on: boolean): void {
  const others = silenced.value.filter((other) => other !== kind);
  silenced.value = on ? others : [...others, kind];
}
