import { NOTICE_KINDS, type NoticeKind } from '#domain/account/notices';
import { aBoolean, stored } from '../preferences/stored';

/** The kinds that are switched off. */
export const silenced = stored<readonly NoticeKind[]>('silenced', [], (value) =>
  Array.isArray(value) ? NOTICE_KINDS.filter((kind) => value.includes(kind)) : undefined,
);

export function setNotified(kind: NoticeKind, on: boolean): void {
  const others = silenced.value.filter((other) => other !== kind);
  silenced.value = on ? others : [...others, kind];
}

/** What a sound can tell: fills and ends of orders, and price alerts. */
export const SOUND_KINDS = ['orders', 'alerts'] as const;
export type SoundKind = (typeof SOUND_KINDS)[number];

/** The kinds that are told by a sound; none unless the user wants it. */
export const sounding = stored<readonly SoundKind[]>('sounds', [], (value) =>
  Array.isArray(value) ? SOUND_KINDS.filter((kind) => value.includes(kind)) : undefined,
);

export function setSounding(kind: SoundKind, on: boolean): void {
  const others = sounding.value.filter((other) => other !== kind);
  sounding.value = on ? [...others, kind] : others;
}

/** Whether title and icon of a hidden page count what has happened. */
export const counting = stored('counting', true, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** Whether messages to the closed app may say more than their kind. */
export const noticeDetails = stored('noticeDetails', false, aBoolean);

export function setNoticeDetails(on: boolean): void {
  noticeDetails.value = on;
}
