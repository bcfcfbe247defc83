import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  attemptOf,
  type LastWrite,
  type StoredField,
  type WriteId,
  writtenOver,
} from '#domain/account/syncedSettings';
import { failed, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import { followSettings } from '../../../../src/app/settingsSync/sync';
import { favourites, theme } from '../../../../src/preferences/preferences';
import {
  answerOffer,
  followsAccount,
  settingsSync,
} from '../../../../src/preferences/settingsSync';
import { apply } from '../../../../src/worker/frameReceiver';
import { user } from '../../../../src/worker/trading';
import { type AsyncWorkerApi, setWorkerApi } from '../../../../src/worker/workerApi';
import { eventually } from '../../../helpers/eventually';
import { ScriptedIndexedDb } from '../../../workers/support/scriptedIndexedDb';

interface Write {
  name: string;
  base: number;
  set: Record<string, unknown>;
  del: string[];
  id?: WriteId;
}

type Saved = ReturnType<Accounts['writeOnce']>;

/** The accounts of a server, by user. */
class Accounts {
  readonly revisions = new Map<number, number>();
  readonly fields = new Map<string, StoredField>();
  readonly writes: Write[] = [];
  refusal = '';
  isOut = false;
  /** It is too busy, and asks to wait so long, ms. */
  busyMs: number | undefined;
  reads = 0;
  /** The next write is done, and its answer lost. */
  losesAnswer = false;
  /** As a server without `settings_once`: it reads no id. */
  knowsIds = true;
  readonly last = new Map<string, LastWrite & { saved: Saved }>();

  /** Undefined: the device has written something else under this id. */
  write(user: number, { id, ...write }: Write): Saved | undefined {
    if (!id || !this.knowsIds) return this.writeOnce(user, write);
    const attempt = { number: id.number, fingerprint: JSON.stringify(write) };
    const last = this.last.get(`${user} ${id.device}`);
    const what = attemptOf(last, attempt);
    if (what === 'other') return undefined;
    if (last && what === 'repeated') return last.saved;
    const saved = this.writeOnce(user, write);
    this.last.set(`${user} ${id.device}`, { ...attempt, saved });
    return saved;
  }

  writeOnce(user: number, { name, base, set, del }: Write) {
    const prefix = `${user} ${name}/`;
    const given = new Map<string, string | undefined>();
    for (const [field, value] of Object.entries(set))
      given.set(prefix + field, JSON.stringify(value));
    for (const field of del) given.set(prefix + field, undefined);
    const { changed, replaced } = writtenOver(this.fields, base, given);
    const revision = (this.revisions.get(user) ?? 0) + 1;
    this.revisions.set(user, revision);
    for (const [key, text] of changed) this.fields.set(key, { text, revision });
    const unseen = replaced.map(({ field, text }) => ({
      ...{ field: field.slice(prefix.length), value: text },
    }));
    return { revision, replaced: unseen };
  }

  since(user: number, since: number) {
    const docs = new Map<string, { name: string; fields: object[]; gone: object[] }>();
    for (const [key, { text, revision }] of this.fields) {
      if (!key.startsWith(`${user} `) || revision <= since) continue;
      const [name = '', ...rest] = key.slice(`${user} `.length).split('/');
      const doc = docs.get(name) ?? { name, fields: [], gone: [] };
      docs.set(name, doc);
      const field = rest.join('/');
      if (text === undefined) doc.gone.push({ field, revision });
      else doc.fields.push({ field, text, revision });
    }
    return { revision: this.revisions.get(user) ?? 0, docs: [...docs.values()] };
  }

  value(user: number, key: string): unknown {
    const text = this.fields.get(`${user} ${key}`)?.text;
    return text === undefined ? undefined : JSON.parse(text);
  }
}

let accounts: Accounts;
let stop: () => void;
const engine = new ScriptedIndexedDb();

const person = (id: number) => ({ id }) as NonNullable<typeof user.value>;

beforeEach(() => {
  localStorage.clear();
  engine.stored = new Map();
  vi.stubGlobal('indexedDB', engine.factory);
  accounts = new Accounts();
  const api = async (
    name: string,
    params: Write & { since: number },
    options: { user: number },
  ) => {
    if (accounts.isOut) return failed({ kind: 'transport', code: 'ERR_NETWORK' });
    if (options.user !== user.peek()?.id) return failed({ kind: 'cancelled' });
    if (name === 'settings.settingsChanges') accounts.reads += 1;
    const { busyMs } = accounts;
    if (busyMs !== undefined)
      return failed({ kind: 'transport', code: '503', retryAfter: toDurationMs(busyMs) });
    if (name === 'settings.settingsChanges')
      return success(accounts.since(options.user, params.since));
    accounts.writes.push(params);
    if (accounts.refusal) return failed({ kind: 'refused', code: 2, text: accounts.refusal });
    const data = accounts.write(options.user, params);
    if (accounts.losesAnswer) {
      accounts.losesAnswer = false;
      return failed({ kind: 'transport', code: 'ECONNABORTED' });
    }
    if (!data) return failed({ kind: 'refused', code: 422, text: 'Other contents.' });
    return success({ data: data.replaced, text: '' });
  };
  setWorkerApi({ api, deviceAlerts: async () => undefined } as unknown as AsyncWorkerApi);
});
afterEach(() => {
  vi.useRealTimers();
  stop();
  user.value = undefined;
  followsAccount.value = true;
  favourites.value = [];
  theme.value = 'system';
  vi.unstubAllGlobals();
});

const follow = (id: number) => {
  user.value = person(id);
  stop = followSettings(id);
};
const met = () =>
  eventually(() =>
    expect(localStorage.getItem('fulcrum.settings-owner')).toBe(String(user.value?.id)),
  );
const push = (revision: number) => apply({ events: [{ type: 'settings-changed', revision }] });
const elsewhere = (id: number, name: string, set: object, del: string[] = []) => {
  const base = accounts.revisions.get(id) ?? 0;
  push(accounts.writeOnce(id, { name, base, set: set as Record<string, unknown>, del }).revision);
};

it('takes along what a visitor has made, and offers it where the account has another', async () => {
  favourites.value = [4];
  theme.value = 'light';
  accounts.write(7, { name: 'appearance', base: 0, set: { theme: 'dark' }, del: [] });
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/4')).toEqual({ at: 1 }));
  expect(theme.value).toBe('dark');
  const offer = { key: 'appearance/theme', text: '"light"' };
  await eventually(() => expect(settingsSync.value.offers).toEqual([offer]));
  answerOffer.call(offer, true);
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('light'));
  expect(theme.value).toBe('light');
  await eventually(() => expect(settingsSync.value.offers).toEqual([]));
});

it('sends an edit by itself, and shows that of another device when it is told', async () => {
  follow(7);
  await met();
  favourites.value = [1, 2];
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/2')).toEqual({ at: 2 }));
  elsewhere(7, 'watchlists', { 'favourites/3': { at: 1.5 } }, ['favourites/1']);
  await eventually(() => expect(favourites.value).toEqual([3, 2]));
  // Nothing of it is sent back.
  push(99);
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
  expect(accounts.writes).toHaveLength(1);
});

it('sends an edit 0.3 s later, and shows what another device has changed at once', async () => {
  vi.useFakeTimers();
  follow(7);
  await vi.advanceTimersByTimeAsync(1000);
  theme.value = 'dark';
  await vi.advanceTimersByTimeAsync(290);
  expect(accounts.writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(accounts.value(7, 'appearance/theme')).toBe('dark');
  elsewhere(7, 'appearance', { theme: 'light' });
  await vi.advanceTimersByTimeAsync(20);
  expect(theme.value).toBe('light');
});

it('sends what was changed while it did not run, and finds what was deleted', async () => {
  favourites.value = [1, 2];
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/2')).toEqual({ at: 2 }));
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
  stop();
  favourites.value = [2];
  theme.value = 'dark';
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toBeUndefined());
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('dark'));
});

it('keeps its own while it does not follow the account, and sends nothing', async () => {
  follow(7);
  await met();
  followsAccount.value = false;
  theme.value = 'dark';
  elsewhere(7, 'watchlists', { 'favourites/3': { at: 1 } });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([favourites.value, accounts.writes]).toEqual([[], []]);
  followsAccount.value = true;
  await eventually(() => expect(favourites.value).toEqual([3]));
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('dark'));
});

it('gives another user none of the settings of the former one, who finds them again', async () => {
  follow(7);
  await met();
  favourites.value = [1];
  stop();
  // Not sent yet.
  expect(accounts.writes).toEqual([]);
  accounts.write(8, { name: 'watchlists', base: 0, set: { 'favourites/5': { at: 1 } }, del: [] });
  follow(8);
  await eventually(() => expect(favourites.value).toEqual([5]));
  expect(accounts.value(8, 'watchlists/favourites/1')).toBeUndefined();
  stop();
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 }));
  expect(favourites.value).toEqual([1]);
  expect(accounts.value(7, 'watchlists/favourites/5')).toBeUndefined();
});

it('loses none of the settings of the former user where the change to another one was cut off', async () => {
  /** As a page that has ended before it wrote whose settings the device has. */
  const cutOff = () => localStorage.setItem('fulcrum.settings-owner', '7');
  follow(7);
  await met();
  favourites.value = [1];
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 }));
  stop();
  accounts.write(8, { name: 'watchlists', base: 0, set: { 'favourites/5': { at: 1 } }, del: [] });
  for (let i = 0; i < 2; i++) {
    follow(8);
    await eventually(() => expect(favourites.value).toEqual([5]));
    stop();
    cutOff();
    favourites.value = [];
  }
  follow(7);
  await eventually(() => expect(favourites.value).toEqual([1]));
  await met();
  expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 });
  expect(accounts.value(8, 'watchlists/favourites/5')).toEqual({ at: 1 });
});

it('says what the server refuses, shows what others change all the same, and keeps its own', async () => {
  follow(7);
  await met();
  accounts.refusal = 'Too much.';
  favourites.value = [1];
  await eventually(() => expect(settingsSync.value.problem).toBe('Too much.'));
  elsewhere(7, 'watchlists', { 'favourites/3': { at: 0 } });
  await eventually(() => expect(favourites.value).toEqual([3, 1]));
  accounts.refusal = '';
  favourites.value = [3, 1, 2];
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 }));
  await eventually(() => expect(settingsSync.value.problem).toBe(''));
});

it('says that something waits while nobody answers', async () => {
  accounts.isOut = true;
  follow(7);
  await eventually(() => expect(settingsSync.value.waiting).toBe(true));
  accounts.isOut = false;
  push(1);
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
});

it('leaves a busy server alone for as long as it asks, whatever changes meanwhile', async () => {
  vi.useFakeTimers();
  accounts.busyMs = 100_000;
  follow(7);
  await vi.advanceTimersByTimeAsync(1000);
  expect(accounts.reads).toBe(1);
  accounts.busyMs = undefined;
  theme.value = 'dark';
  push(1);
  await vi.advanceTimersByTimeAsync(98_000);
  expect(accounts.reads + accounts.writes.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1500);
  expect(settingsSync.value.waiting).toBe(false);
  expect(accounts.value(7, 'appearance/theme')).toBe('dark');
});

it('waits no longer for a busy server after the clock was set back', async () => {
  vi.useFakeTimers();
  accounts.busyMs = 100_000;
  follow(7);
  await vi.advanceTimersByTimeAsync(1000);
  accounts.busyMs = undefined;
  vi.setSystemTime(Date.now() - 18_000_000);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(settingsSync.value.waiting).toBe(false);
});

it('loses nothing to a server whose database is an older one', async () => {
  favourites.value = [1];
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 }));
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
  favourites.value = [1, 2];
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/2')).toEqual({ at: 2 }));
  accounts.fields.clear();
  accounts.revisions.clear();
  push(99);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/2')).toEqual({ at: 2 }));
  expect(favourites.value).toEqual([1, 2]);
});

it('starts anew where localStorage was lost: nothing is taken as deleted', async () => {
  favourites.value = [1];
  follow(7);
  await eventually(() => expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 }));
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
  stop();
  localStorage.clear();
  favourites.value = [];
  localStorage.clear();
  follow(7);
  await eventually(() => expect(favourites.value).toEqual([1]));
  expect(accounts.value(7, 'watchlists/favourites/1')).toEqual({ at: 1 });
});

it('takes no change of another device back where the answer to its own was lost', async () => {
  follow(7);
  await met();
  accounts.losesAnswer = true;
  theme.value = 'light';
  await eventually(() => expect(settingsSync.value.waiting).toBe(true));
  expect(accounts.value(7, 'appearance/theme')).toBe('light');
  elsewhere(7, 'appearance', { theme: 'dark' });
  await eventually(() => expect(theme.value).toBe('dark'));
  expect(accounts.value(7, 'appearance/theme')).toBe('dark');
  expect(settingsSync.value.offers).toEqual([]);
  expect(accounts.writes[1]).toEqual(accounts.writes[0]);
});

it('repeats a write whose answer was lost as it was, after a new start too, and then sends what came since', async () => {
  follow(7);
  await met();
  accounts.losesAnswer = true;
  theme.value = 'light';
  await eventually(() => expect(settingsSync.value.waiting).toBe(true));
  stop();
  theme.value = 'system';
  follow(7);
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('system'));
  const [first, again, next] = accounts.writes;
  expect(again).toEqual(first);
  expect(next?.id).toEqual({ device: first?.id?.device, number: 2 });
});

it('loses nothing to a server that knows no ids', async () => {
  accounts.knowsIds = false;
  follow(7);
  await met();
  accounts.losesAnswer = true;
  theme.value = 'light';
  await eventually(() => expect(settingsSync.value.waiting).toBe(true));
  elsewhere(7, 'appearance', { theme: 'dark' });
  const offer = { key: 'appearance/theme', text: '"dark"' };
  await eventually(() => expect(settingsSync.value.offers).toEqual([offer]));
  expect(accounts.value(7, 'appearance/theme')).toBe('light');
});

it('goes on as a new device where another one was copied from it', async () => {
  follow(7);
  await met();
  theme.value = 'light';
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('light'));
  const { device = '' } = accounts.writes[0]?.id ?? {};
  const write = { name: 'keys', base: 1, set: {}, del: [], id: { device, number: 2 } };
  accounts.write(7, write);
  theme.value = 'dark';
  await eventually(() => expect(accounts.value(7, 'appearance/theme')).toBe('dark'));
  expect(accounts.writes.at(-1)?.id).toMatchObject({ number: 1 });
  expect(accounts.writes.at(-1)?.id?.device).not.toBe(device);
  await eventually(() => expect(settingsSync.value.waiting).toBe(false));
  expect(settingsSync.value.problem).toBe('');
});
