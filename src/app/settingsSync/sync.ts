import { effect } from '@preact/signals-core';
import { get, set } from 'idb-keyval';
import type { SettingsFields } from '#domain/account/settingsFields';
import {
  askedSince,
  changesOf,
  mergedWith,
  met,
  NOTHING_KNOWN,
  pendingOf,
  refused,
  renamed,
  type SentWrite,
  type SettingsChanges,
  type SettingsOffer,
  type SyncState,
  settled,
  withNamesOf,
  withoutOffer,
  writing,
  written,
} from '#domain/account/settingsSync';
import { MOST_WRITTEN } from '#domain/account/syncedSettings';
import { CODE_OTHER_CONTENT } from '#domain/api/envelope';
import { isEqual } from '#domain/core/isEqual';
import { readFields } from '#domain/core/read';
import { askedWait, type Failure } from '#domain/core/result';
import { type DurationMs, toDurationMs, toUnixMs } from '#domain/core/time';
import { oneTransaction } from '../../preferences/database';
import {
  answerOffer,
  followsAccount,
  SYNC_RETRY_MS,
  settingsSync,
} from '../../preferences/settingsSync';
import { PREFIX, SAVED } from '../../preferences/storedNames';
import { steadyTime } from '../../worker/age';
import { api } from '../../worker/api';
import { onEvent, slowPrices } from '../../worker/frameReceiver';
import { newKey } from '../../worker/key';
import { user } from '../../worker/trading';
import { OTHER_DOCUMENTS } from './otherDocuments';
import { STORED_DOCUMENTS } from './storedDocuments';

const DOCUMENTS = [...STORED_DOCUMENTS, ...OTHER_DOCUMENTS];

/** What is saved one after the other is sent together; a server takes 180 writes a minute. */
const SAVED_MS = 300;
/** Without a websocket nobody tells of changes. */
const SLOW_MS = 30_000;

const database = oneTransaction('keyval-store', 'keyval');

/** Kept for each user of this device. */
interface Kept extends SyncState {
  /** The settings that the device had of this user when another one came. */
  parked?: SettingsFields;
}

const keyOf = (userId: number) => `settings ${userId}`;

/** Whose settings the device has, beside them: they are lost together. Absent: a visitor's. */
const OWNER = `${PREFIX}settings-owner`;

/** The attempt ends here: no answer, or another user. */
class Ended extends Error {
  /** How long the server asks to wait, ms. */
  asked: DurationMs = toDurationMs(0);
}

/**
 * Keeps the settings of this device and of the user's account alike (screens.md#synced-settings), as long as the page is
 * connected. Returns what ends it.
 */
export function followSettings(userId: number): () => void {
  let ended = false;
  let isRunning = false;
  /** The revision that is to be read, at least; undefined: nothing is. Infinity: the newest. */
  let wanted: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The server has asked to wait until then. */
  let busyUntil = 0;

  /** `revision` is what the server has, at least; 0: something was changed here. */
  function run(revision = Number.POSITIVE_INFINITY): void {
    wanted = Math.max(wanted ?? 0, revision);
    if (!isRunning) void next();
  }

  async function next(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (ended || document.hidden || !followsAccount.peek()) return;
    const busy = busyUntil - steadyTime();
    if (busy > 0) return later(busy);
    isRunning = true;
    try {
      while (wanted !== undefined && !ended) {
        const revision = wanted;
        wanted = undefined;
        await exclusively(() => synchronise(userId, revision));
      }
      if (slowPrices.peek()) later(SLOW_MS);
    } catch (error) {
      wanted = Number.POSITIVE_INFINITY;
      if (error instanceof Ended) busyUntil = steadyTime() + error.asked;
      later(SYNC_RETRY_MS);
    }
    isRunning = false;
  }

  function later(wait: number, revision?: number): void {
    if (!ended) timer ??= setTimeout(() => run(revision), wait);
  }

  const saved = () => {
    // One that waits longer gives way.
    clearTimeout(timer);
    timer = undefined;
    later(SAVED_MS, 0);
  };
  const stops = [
    onEvent((event) => {
      if (event.type === 'alerts-changed') saved();
      else if (event.type === 'settings-changed') run(event.revision);
    }),
    effect(() => {
      if (followsAccount.value) run();
      else settingsSync.value = { waiting: false, problem: '', offers: [] };
    }),
  ];
  const shown = () => run();
  addEventListener(SAVED, saved);
  document.addEventListener('visibilitychange', shown);
  answerOffer.call = (offer, take) => {
    void exclusively(() => answer(userId, offer, take)).then(
      () => run(0),
      () => {},
    );
  };
  return () => {
    ended = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
    removeEventListener(SAVED, saved);
    document.removeEventListener('visibilitychange', shown);
    answerOffer.call = () => {};
  };
}

/** One tab at a time. */
function exclusively<T>(action: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  return locks ? (locks.request('fulcrum settings', action) as Promise<T>) : action();
}

const isOwn = (userId: number) => user.peek()?.id === userId;

/** Sends what was changed here, and reads and shows what was changed elsewhere, where something was sent or `revision` is newer. */
async function synchronise(userId: number, revision: number): Promise<void> {
  let state = await claim(userId);
  const isNew = state.readAt === 0;
  let problem = '';
  if (!isNew) {
    const from = state;
    ({ state, problem } = await send(userId, state));
    settingsSync.value = { waiting: false, problem, offers: state.offers };
    if (state === from && problem === '' && revision <= state.revision) return;
  }
  let since = askedSince(state, toUnixMs(Date.now()));
  let answer = await read(userId, since);
  let isMeeting = isNew;
  if (answer.revision < state.revision) {
    // Its database is an older one: nothing of this device may be lost.
    state = { ...NOTHING_KNOWN, offers: state.offers };
    since = 0;
    answer = await read(userId, 0);
    isMeeting = true;
  }
  const changes = changesOf(state, since, answer);
  state = await show(userId, state, changes, isMeeting);
  if (isMeeting) {
    ({ state, problem } = await send(userId, state));
  }
  settingsSync.value = { waiting: false, problem, offers: state.offers };
}

async function read(userId: number, since: number) {
  const answer = await api('settings.settingsChanges', { since }, { quiet: true, user: userId });
  if (!answer.ok) throw failed(answer.failure);
  return answer.data;
}

function failed(failure: Failure): Ended {
  settingsSync.value = { ...settingsSync.peek(), waiting: true };
  return Object.assign(new Ended(), { asked: askedWait(failure) });
}

/** Sends what was changed on this device. What the server refuses stays on the device. */
async function send(
  userId: number,
  from: SyncState,
): Promise<{ state: SyncState; problem: string }> {
  let { state, problem } = await complete(userId, from);
  const { fields, documents } = await readDocuments(state.shown);
  const { set: changed, del: deleted } = pendingOf(state, fields, documents);
  for (const name of documents) {
    const prefix = `${name}/`;
    const own = [...Object.keys(changed), ...deleted].filter((key) => key.startsWith(prefix));
    while (own.length > 0) {
      const keys = own.splice(0, MOST_WRITTEN);
      const set = Object.fromEntries(
        keys.flatMap((key) => (changed[key] === undefined ? [] : [[key, changed[key]]])),
      );
      const del = keys.filter((key) => changed[key] === undefined);
      const write: SentWrite = { name, base: state.revision, set, del };
      const attempt = () => complete(userId, writing(state, write, newKey));
      let done = await attempt();
      ({ state } = done);
      if (!state.id) done = await attempt();
      ({ state } = done);
      problem = done.problem || problem;
    }
  }
  return { state, problem };
}

/** Sends the write whose answer is not known, for the first time or again. A device that is to begin as a new one then has no id. */
async function complete(
  userId: number,
  from: SyncState,
): Promise<{ state: SyncState; problem: string }> {
  if (!from.sent) return { state: from, problem: '' };
  // A page that goes now leaves it to the next one.
  await keep(userId, from);
  const { name, base, set, del } = from.sent;
  const prefix = `${name}/`;
  const fieldOf = (key: string) => key.slice(prefix.length);
  const sent = {
    ...{ name, base, id: from.id },
    set: Object.fromEntries(
      Object.entries(set).map(([key, text]) => [fieldOf(key), JSON.parse(text)]),
    ),
    del: del.map(fieldOf),
  };
  const answer = await api('settings.saveSettings', sent, { quiet: true, user: userId });
  let state: SyncState;
  let problem = '';
  if (answer.ok) {
    const replaced = answer.data.data.map(({ field, value }) => ({
      ...{ key: prefix + field, text: value },
    }));
    state = written(from, replaced);
  } else {
    const { failure } = answer;
    if (failure.kind !== 'refused') throw failed(failure);
    problem = failure.text;
    state = failure.code === CODE_OTHER_CONTENT ? renamed(from) : refused(from);
  }
  await keep(userId, state);
  return { state, problem };
}

/** Shows what has changed at the server, and keeps what the device then knows. */
async function show(
  userId: number,
  known: SyncState,
  changes: SettingsChanges,
  isMeeting: boolean,
): Promise<SyncState> {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  const documents = new Set<string>();
  const meeting = (local: SettingsFields) => (isMeeting ? met(known, local, changes) : known);
  for (const { name, update } of DOCUMENTS) {
    let own: SettingsFields = {};
    const found = await update(within(name, known.shown), (fields) => {
      if (!isOwn(userId)) throw new Ended();
      own = withPrefix(name, fields);
      if (isMeeting) own = withNamesOf(own, changes.set);
      const merged = within(name, mergedWith(meeting(own), own, new Set([name]), changes));
      return isEqual(merged, fields) ? undefined : merged;
    }).catch(ifUnreadable);
    if (!found) continue;
    documents.add(name);
    Object.assign(before, own);
    Object.assign(after, withPrefix(name, found.after));
  }
  const now = toUnixMs(Date.now());
  const state = settled(meeting(before), before, after, documents, changes, now);
  localStorage.setItem(OWNER, String(userId));
  await keep(userId, state);
  return state;
}

/** A document that can't be read now stays out of it; the attempt of another user ends. */
function ifUnreadable(error: unknown): undefined {
  if (error instanceof Ended) throw error;
}

/** What all documents that can be read have. */
async function readDocuments(former: SettingsFields) {
  const fields: Record<string, string> = {};
  const documents = new Set<string>();
  for (const { name, update } of DOCUMENTS) {
    const found = await update(within(name, former), () => undefined).catch(ifUnreadable);
    if (!found) continue;
    documents.add(name);
    Object.assign(fields, withPrefix(name, found.before));
  }
  return { fields, documents };
}

function within(name: string, fields: SettingsFields): SettingsFields {
  const own = Object.entries(fields).filter(([key]) => key.startsWith(`${name}/`));
  return Object.fromEntries(own.map(([key, text]) => [key.slice(name.length + 1), text]));
}

function withPrefix(name: string, fields: SettingsFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, text]) => [`${name}/${field}`, text]),
  );
}

/**
 * What this device knows of the user's settings. Where it has those of another user, they are parked until that one comes
 * back; what a visitor has made is taken along.
 */
async function claim(userId: number): Promise<SyncState> {
  if (!isOwn(userId)) throw new Ended();
  const kept = await keptOf(userId);
  const owner = Number(localStorage.getItem(OWNER) ?? 0);
  if (owner === userId && !kept.parked) return kept;
  if (owner === 0) return { ...NOTHING_KNOWN, offers: kept.offers };
  const former = await keptOf(owner);
  // Settings that are parked already are left by a claim that was cut off: what is shown is no longer its owner's.
  if (!former.parked) {
    const { fields } = await readDocuments(former.shown);
    await set(keyOf(owner), { ...former, parked: fields }, database);
  }
  const { parked, ...state } = kept;
  for (const { name, update } of DOCUMENTS) {
    await update({}, () => within(name, parked ?? {})).catch(ifUnreadable);
  }
  localStorage.setItem(OWNER, String(userId));
  const next = parked ? state : NOTHING_KNOWN;
  await keep(userId, next);
  return next;
}

async function keptOf(userId: number): Promise<Kept> {
  const kept: unknown = await get(keyOf(userId), database);
  const isKept = typeof readFields(kept)?.['revision'] === 'number';
  return isKept ? { ...NOTHING_KNOWN, ...(kept as Kept) } : NOTHING_KNOWN;
}

async function keep(userId: number, state: SyncState): Promise<void> {
  await set(keyOf(userId), state, database);
}

/** Takes what was offered, which is then a change of this device, or dismisses it. */
async function answer(userId: number, offer: SettingsOffer, take: boolean): Promise<void> {
  const state = await claim(userId);
  const [name = ''] = offer.key.split('/', 1);
  const document = DOCUMENTS.find((one) => one.name === name);
  if (take) {
    const field = offer.key.slice(name.length + 1);
    await document?.update(within(name, state.shown), (fields) => ({
      ...fields,
      [field]: offer.text,
    }));
  }
  const next = withoutOffer(state, offer);
  await keep(userId, next);
  settingsSync.value = { ...settingsSync.peek(), offers: next.offers };
}
