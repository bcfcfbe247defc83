/**
 * What one device knows of the settings of an account, and how its own meet those of other devices
 * (docs/screens.md#synced-settings). What was changed here is the difference from what
 * the documents had when they last agreed with the server: no writer of a document has to log its edits. Values are JSON texts, keys are
 * `document/field`.
 */

import { timeBetween, toDurationMs, toUnixMs, type UnixMs } from '../core/time';
import { contentOf, listOfFields, type SettingsFields } from './settingsFields';
import type { WriteId } from './syncedSettings';

/** A value that a later one has replaced unseen: the user may still take it. */
export interface SettingsOffer {
  key: string;
  text: string;
}

/** A write of a device: fields of one document. */
export interface SentWrite {
  /** Of the document. */
  name: string;
  /** The newest revision that was read. */
  base: number;
  set: SettingsFields;
  del: readonly string[];
}

/** Kept on the device. */
export interface SyncState {
  /** The newest revision of the server that is read. */
  revision: number;
  /** When everything up to it was read, by the wall clock. */
  readAt: UnixMs;
  /** What the server had then, and what this device has written since. */
  server: SettingsFields;
  /** What the documents of this device had when they last agreed with `server`. Less, where they can't hold all of it. */
  shown: SettingsFields;
  /** What was changed here, but found no room beside what came meanwhile: it is still to be written. */
  unheld: SettingsFields;
  /** The latest first. */
  offers: readonly SettingsOffer[];
  /** That of the last write of this device; undefined: it has made none, or is to begin as a new one. */
  id: WriteId | undefined;
  /** The write whose answer is not known. It is repeated as it is before there is another one. */
  sent: SentWrite | undefined;
}

/** What has changed at the server. */
export interface SettingsChanges {
  revision: number;
  set: SettingsFields;
  gone: readonly string[];
}

export const NOTHING_KNOWN: SyncState = {
  revision: 0,
  readAt: toUnixMs(0),
  server: {},
  shown: {},
  unheld: {},
  offers: [],
  id: undefined,
  sent: undefined,
};

/** The server keeps deletions for 90 days: later it is asked for everything. */
const LONGEST_ABSENCE = toDurationMs(80 * 24 * 3_600_000);
const MOST_OFFERS = 20;

/** Documents whose values change by themselves: nobody would know what is offered. */
const NEVER_OFFERED = ['alerts'];

const documentOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** The revision since which the server is asked; 0: for everything. */
export function askedSince({ revision, readAt }: SyncState, now: UnixMs): number {
  return timeBetween(readAt, now) > LONGEST_ABSENCE ? 0 : revision;
}

/** What has changed on this device since it agreed with the server. `local` has all fields of these documents. */
export function pendingOf(
  { server, shown, unheld }: SyncState,
  local: SettingsFields,
  documents: ReadonlySet<string>,
): { set: Record<string, string>; del: string[] } {
  const set = Object.entries(local).filter(
    ([key, text]) => text !== shown[key] && text !== server[key],
  );
  const del = Object.keys(shown).filter(
    (key) => documents.has(documentOf(key)) && local[key] === undefined && key in server,
  );
  return { set: { ...unheld, ...Object.fromEntries(set) }, del };
}

/** Before a write is sent. `newDevice` makes a UUID for a device that has none. */
export function writing(state: SyncState, sent: SentWrite, newDevice: () => string): SyncState {
  const { device, number } = state.id ?? { device: newDevice(), number: 0 };
  return { ...state, sent, id: { device, number: number + 1 } };
}

/** After the server has refused the write that was sent. */
export function refused(state: SyncState): SyncState {
  return { ...state, sent: undefined };
}

/** Where the server knows another write by this id: the device was copied, or has forgotten its last ones. */
export function renamed(state: SyncState): SyncState {
  return { ...state, sent: undefined, id: undefined };
}

/** After the server has taken the write that was sent. What others have written before it, or since, is still to be read. */
export function written(state: SyncState, replaced: readonly SettingsOffer[]): SyncState {
  const { set = {}, del = [] } = state.sent ?? {};
  return {
    ...state,
    sent: undefined,
    server: without({ ...state.server, ...set }, del),
    shown: without({ ...state.shown, ...without(set, Object.keys(state.unheld)) }, del),
    unheld: without(state.unheld, Object.keys(set)),
    offers: offersWith(
      state.offers,
      replaced.filter(({ key, text }) => isOffered(key, text, set[key])),
    ),
  };
}

/**
 * What a device brings to an account that it has not met: where the account has a value, it counts, and the device's own is
 * offered; all else is taken along.
 */
export function met(
  state: SyncState,
  local: SettingsFields,
  { set }: Pick<SettingsChanges, 'set'>,
): SyncState {
  const both = Object.entries(set).flatMap(([key, text]) => {
    const own = local[key];
    return own === undefined ? [] : [{ key, text: own, other: text }];
  });
  return {
    ...state,
    shown: Object.fromEntries(both.map(({ key, text }) => [key, text])),
    offers: offersWith(
      state.offers,
      both.flatMap(({ key, text, other }) => (isOffered(key, text, other) ? [{ key, text }] : [])),
    ),
  };
}

/** Lists whose elements have names: two of one name are one list. */
const NAMED = ['watchlists/list', 'layouts/own'];

/** The fields of a device, with the account's ids for lists that have the same names. */
export function withNamesOf(local: SettingsFields, account: SettingsFields): SettingsFields {
  const ids = new Map<string, string>();
  for (const list of NAMED) {
    const theirs = new Map(listOfFields(list, account).map(({ id, value }) => [value['name'], id]));
    for (const { id, value } of listOfFields(list, local)) {
      const same = theirs.get(value['name']);
      if (same !== undefined && same !== id) ids.set(`${list}/${id}`, `${list}/${same}`);
    }
  }
  return Object.fromEntries(
    Object.entries(local).map(([key, text]) => {
      const [document, list, id, ...rest] = key.split('/');
      const named = ids.get(`${document}/${list}/${id}`);
      return [named === undefined ? key : [named, ...rest].join('/'), text];
    }),
  );
}

/** The changes of an answer. Asked for everything, it does not have what was deleted meanwhile. */
export function changesOf(
  state: SyncState,
  since: number,
  answer: {
    revision: number;
    docs: readonly {
      name: string;
      fields: readonly { field: string; text: string }[];
      gone: readonly { field: string }[];
    }[];
  },
): SettingsChanges {
  const set = Object.fromEntries(
    answer.docs.flatMap(({ name, fields }) =>
      fields.map(({ field, text }) => [`${name}/${field}`, text] as const),
    ),
  );
  const gone =
    since === 0
      ? Object.keys(state.server).filter((key) => !(key in set))
      : answer.docs.flatMap(({ name, gone }) => gone.map(({ field }) => `${name}/${field}`));
  return { revision: answer.revision, set, gone };
}

/** The fields that documents are to have: those of the server, but for what this device has changed. */
export function mergedWith(
  state: SyncState,
  local: SettingsFields,
  documents: ReadonlySet<string>,
  { set, gone }: Pick<SettingsChanges, 'set' | 'gone'>,
): SettingsFields {
  const pending = pendingOf(state, local, documents);
  const server = without({ ...state.server, ...set }, gone);
  const own = Object.entries(server).filter(([key]) => documents.has(documentOf(key)));
  return { ...without(Object.fromEntries(own), pending.del), ...pending.set };
}

/**
 * After the documents were written. `before` is what they had, `after` what they have: they may not hold all that they were
 * given. What was changed here and there at once stays as it is here, and the server's is offered.
 */
export function settled(
  state: SyncState,
  before: SettingsFields,
  after: SettingsFields,
  documents: ReadonlySet<string>,
  { revision, set, gone }: SettingsChanges,
  now: UnixMs,
): SyncState {
  const pending = pendingOf(state, before, documents);
  const server = without({ ...state.server, ...set }, gone);
  const shown: Record<string, string> = {};
  for (const [key, text] of Object.entries(state.shown)) {
    if (!documents.has(documentOf(key))) shown[key] = text;
  }
  for (const [key, text] of Object.entries(after)) shown[key] = text;
  // It still differs from the server's, whatever the user makes of it next.
  const unheld = without(pending.set, Object.keys(after));
  for (const key of [...Object.keys(pending.set), ...pending.del]) {
    const theirs = server[key];
    if (theirs === undefined || key in unheld) delete shown[key];
    else shown[key] = theirs;
  }
  const replaced = [...Object.keys(pending.set), ...pending.del].flatMap((key) => {
    const text = set[key];
    // What this device has written itself comes back as well.
    const isNew = text !== undefined && text !== state.server[key];
    return isNew && isOffered(key, text, pending.set[key]) ? [{ key, text }] : [];
  });
  const offers = offersWith(state.offers, replaced).filter(
    ({ key, text }) => contentOf(text) !== contentOf(after[key] ?? ''),
  );
  return { ...state, revision, readAt: now, server, shown, unheld, offers };
}

/** Without an offer that was taken or dismissed. */
export function withoutOffer(state: SyncState, { key }: SettingsOffer): SyncState {
  return { ...state, offers: state.offers.filter((offer) => offer.key !== key) };
}

function isOffered(key: string, text: string, instead: string | undefined): boolean {
  if (NEVER_OFFERED.includes(documentOf(key)) || contentOf(text) === '{}') return false;
  return contentOf(text) !== contentOf(instead ?? '');
}

function offersWith(
  offers: readonly SettingsOffer[],
  added: readonly SettingsOffer[],
): readonly SettingsOffer[] {
  const keys = new Set(added.map(({ key }) => key));
  return [...added, ...offers.filter(({ key }) => !keys.has(key))].slice(0, MOST_OFFERS);
}

function without(fields: SettingsFields, keys: readonly string[]): SettingsFields {
  const left: Record<string, string> = { ...fields };
  for (const key of keys) delete left[key];
  return left;
}
