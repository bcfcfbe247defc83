import { describe, expect, it } from 'vitest';
import {
  contentOf,
  listFields,
  listOfFields,
  type SettingsFields,
} from '#domain/account/settingsFields';
import {
  askedSince,
  changesOf,
  mergedWith,
  met,
  NOTHING_KNOWN,
  pendingOf,
  type SyncState,
  settled,
  writing,
  written,
} from '#domain/account/settingsSync';
import {
  attemptOf,
  type LastWrite,
  type ReplacedField,
  type StoredField,
  type WriteId,
  writtenOver,
} from '#domain/account/syncedSettings';
import { toUnixMs } from '#domain/core/time';
import { largeCount, samples, seed, tally } from '../../helpers/samples';

const DAY = 24 * 3_600_000;
const NOW = toUnixMs(1_800_000_000_000);

describe('the places of a list', () => {
  const fields = (ids: string[], former: SettingsFields = {}) =>
    listFields(
      'a',
      ids.map((id) => ({ id, value: {} })),
      former,
    );
  const order = (of: SettingsFields) => listOfFields('a', of).map(({ id }) => id);
  const changed = (next: SettingsFields, former: SettingsFields) =>
    Object.keys(next).filter((key) => next[key] !== former[key]);

  it('change for what is moved only', () => {
    const former = fields(['a', 'b', 'c', 'd', 'e']);
    for (const [ids, moved] of [
      [['b', 'c', 'd', 'e', 'a'], ['a/a']],
      [['a', 'd', 'b', 'c', 'e'], ['a/d']],
      [
        ['x', 'a', 'b', 'y', 'c', 'd', 'e'],
        ['a/x', 'a/y'],
      ],
      [['a', 'b', 'd', 'e'], []],
    ] as const) {
      const next = fields([...ids], former);
      expect(order(next)).toEqual(ids);
      expect(changed(next, former)).toEqual(moved);
    }
  });

  it('hold any number of moves to the same place', () => {
    let present = fields(['a', 'b', 'c']);
    for (let count = 0; count < 2_000; count++) {
      const [first = '', ...rest] = order(present);
      const ids = [...rest.slice(0, 1), first, ...rest.slice(1)];
      present = fields(ids, present);
      expect(order(present)).toEqual(ids);
    }
  });

  it('are told apart from what an element says', () => {
    expect(contentOf('{"at":1,"name":"a"}')).toBe(contentOf('{"at":2,"name":"a"}'));
    expect(contentOf('"at"')).toBe('"at"');
    expect(
      listOfFields('a', { 'a/x': 'no JSON', 'a/y': '{"at":"1"}', 'a/b/c': '{"at":1}' }),
    ).toEqual([]);
  });
});

describe('a device', () => {
  const state: SyncState = {
    ...NOTHING_KNOWN,
    revision: 5,
    readAt: NOW,
    server: { 'd/a': '1', 'd/b': '1', 'd/unknown': '1', 'e/a': '1' },
    shown: { 'd/a': '1', 'd/b': '1', 'e/a': '1' },
  };
  const documents = new Set(['d']);

  it('takes nothing as deleted that its document could not hold, or that it has not read', () => {
    expect(pendingOf(state, { 'd/a': '2' }, documents)).toEqual({
      set: { 'd/a': '2' },
      del: ['d/b'],
    });
  });

  it('asks for everything after 80 days, and what is missing then was deleted', () => {
    expect(askedSince(state, toUnixMs(NOW + 80 * DAY))).toBe(5);
    expect(askedSince(state, toUnixMs(NOW + 80 * DAY + 1))).toBe(0);
    const docs = [{ name: 'd', fields: [{ field: 'a', text: '1' }], gone: [] }];
    expect(changesOf(state, 0, { revision: 9, docs }).gone).toEqual(['d/b', 'd/unknown', 'e/a']);
    expect(changesOf(state, 5, { revision: 9, docs }).gone).toEqual([]);
  });

  it('takes along what an account lacks, and offers its own where the account has another', () => {
    const local = { 'd/own': '"mine"', 'd/both': '"mine"', 'd/place': '{"at":7}' };
    const changes = { revision: 3, set: { 'd/both': '"theirs"', 'd/place': '{"at":1}' }, gone: [] };
    const first = met(NOTHING_KNOWN, local, changes);
    expect(first.offers).toEqual([{ key: 'd/both', text: '"mine"' }]);
    expect(mergedWith(first, local, documents, changes)).toEqual({
      'd/own': '"mine"',
      'd/both': '"theirs"',
      'd/place': '{"at":1}',
    });
    const after = mergedWith(first, local, documents, changes);
    const next = settled(first, local, after, documents, changes, NOW);
    expect(pendingOf(next, after, documents)).toEqual({ set: { 'd/own': '"mine"' }, del: [] });
    expect(next.offers).toEqual(first.offers);
  });

  it('notices that a change was taken back while another device made one', () => {
    const changes = { revision: 6, set: { 'd/a': '"theirs"' }, gone: [] };
    const local = { 'd/a': '"mine"', 'd/b': '1' };
    const next = settled(state, local, local, documents, changes, NOW);
    expect(next.offers).toEqual([{ key: 'd/a', text: '"theirs"' }]);
    expect(pendingOf(next, local, documents).set).toEqual({ 'd/a': '"mine"' });
    expect(pendingOf(next, { ...local, 'd/a': '1' }, documents).set).toEqual({ 'd/a': '1' });
  });

  const sending = (set: SettingsFields) =>
    writing(state, { name: 'd', base: 5, set, del: [] }, () => 'device');

  it('counts its writes, and finds what was changed since the one whose answer it waits for', () => {
    const first = sending({ 'd/a': '2' });
    expect(first.id).toEqual({ device: 'device', number: 1 });
    // Changed back meanwhile: that is a change of its own.
    const next = written(first, []);
    expect([next.sent, pendingOf(next, { 'd/a': '1', 'd/b': '1' }, documents).set]).toEqual([
      undefined,
      { 'd/a': '1' },
    ]);
    expect(writing(next, { name: 'd', base: 5, set: {}, del: [] }, () => 'new').id).toEqual({
      device: 'device',
      number: 2,
    });
  });

  it('offers no place, no alert, and nothing that it has written itself', () => {
    const taken = written(sending({ 'd/a': '{"at":2}' }), [
      { key: 'd/a', text: '{"at":1}' },
      { key: 'alerts/1', text: '{"TriggeredAt":1}' },
    ]);
    expect(taken.offers).toEqual([]);
    expect(taken.revision).toBe(5);
    const own = written(sending({ 'd/a': '"own"' }), []);
    const changes = { revision: 7, set: { 'd/a': '"own"' }, gone: [] };
    const local = { 'd/a': '"changed since"', 'd/b': '1' };
    expect(settled(own, local, local, documents, changes, NOW).offers).toEqual([]);
  });
});

/** A reproducible source of numbers from 0 to 1 (mulberry32). */
function numbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let next = Math.imul(state ^ (state >>> 15), 1 | state);
    next = (next + Math.imul(next ^ (next >>> 7), 61 | next)) ^ next;
    return ((next ^ (next >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Answer {
  revision: number;
  replaced: ReplacedField[];
}

/** A server as docs/protocol.md describes it. */
class Server {
  revision = 0;
  readonly fields = new Map<string, StoredField>();
  /** Every value that a field has had. */
  readonly history: string[] = [];
  private readonly last = new Map<string, LastWrite & { answer: Answer }>();

  /** Undefined: refused, as the device has written since. */
  write(id: WriteId, base: number, set: SettingsFields, del: readonly string[]) {
    const attempt = { number: id.number, fingerprint: JSON.stringify([base, set, del]) };
    const last = this.last.get(id.device);
    const what = attemptOf(last, attempt);
    if (what === 'other') return undefined;
    if (last && what === 'repeated') return last.answer;
    const answer = this.writeOnce(base, set, del);
    this.last.set(id.device, { ...attempt, answer });
    return answer;
  }

  private writeOnce(base: number, set: SettingsFields, del: readonly string[]): Answer {
    const fields = new Map<string, string | undefined>(Object.entries(set));
    for (const key of del) fields.set(key, undefined);
    const { changed, replaced } = writtenOver(this.fields, base, fields);
    if (changed.size > 0) this.revision++;
    for (const [key, text] of changed) {
      this.fields.set(key, { text, revision: this.revision });
      if (text !== undefined) this.history.push(`${key} ${text}`);
    }
    return { revision: this.revision, replaced };
  }

  since(since: number) {
    const newer = [...this.fields].filter(([, { revision }]) => revision > since);
    return {
      revision: this.revision,
      docs: [
        {
          name: 'd',
          fields: newer.flatMap(([key, { text }]) =>
            text === undefined ? [] : [{ field: key.slice(2), text }],
          ),
          gone: newer.flatMap(([key, { text }]) =>
            text === undefined && since > 0 ? [{ field: key.slice(2) }] : [],
          ),
        },
      ],
    };
  }

  get present(): SettingsFields {
    return Object.fromEntries(
      [...this.fields].flatMap(([key, { text }]) => (text === undefined ? [] : [[key, text]])),
    );
  }
}

/** A device: an ordered list and a value, edited at any moment between the steps of a synchronisation. */
class Device {
  state = NOTHING_KNOWN;
  list: string[] = [];
  theme: string | undefined;
  /** More elements it can't hold. */
  readonly most: number;
  readonly offered: string[] = [];

  constructor(most: number) {
    this.most = most;
  }

  get local(): SettingsFields {
    const former = Object.fromEntries(
      Object.entries(this.state.shown).map(([key, text]) => [key.slice(2), text]),
    );
    const elements = this.list.map((id) => ({ id, value: {} }));
    const fields = {
      ...listFields('list', elements, former),
      ...(this.theme !== undefined && { theme: this.theme }),
    };
    return Object.fromEntries(Object.entries(fields).map(([key, text]) => [`d/${key}`, text]));
  }

  show(fields: SettingsFields): SettingsFields {
    const own = Object.fromEntries(
      Object.entries(fields).map(([key, text]) => [key.slice(2), text]),
    );
    this.list = listOfFields('list', own)
      .slice(0, this.most)
      .map(({ id }) => id);
    this.theme = own['theme'];
    const held = new Set(this.list.map((id) => `d/list/${id}`));
    return Object.fromEntries(
      Object.entries(fields).filter(([key]) => key === 'd/theme' || held.has(key)),
    );
  }

  keep(next: SyncState): void {
    for (const offer of next.offers)
      if (!this.state.offers.includes(offer)) this.offered.push(offer.text);
    this.state = next;
  }
}

const DOCUMENTS = new Set(['d']);

describe('three devices', () => {
  it('converge over lost answers, lose nothing, write nothing twice, and offer what was replaced unseen', async () => {
    const runs = samples(300, 10_000);
    const seen: Record<string, number> = {};
    const count = (what: string) => {
      seen[what] = (seen[what] ?? 0) + 1;
    };
    await largeCount('settings edited on three devices', runs, () => {
      for (let run = 0; run < runs; run++) simulate(seed + run, count);
      return tally(seen);
    });
    for (const what of [
      'added',
      'moved',
      'deleted',
      'chosen',
      'offered',
      'not held',
      'repeated',
      'came late',
    ]) {
      expect(seen[what], what).toBeGreaterThan(0);
    }
  });
});

function simulate(from: number, count: (what: string) => void): void {
  const next = numbers(from);
  const pick = (most: number) => Math.floor(next() * most);
  const server = new Server();
  const devices = [new Device(99), new Device(99), new Device(5)];
  const [added, deleted] = [new Set<string>(), new Set<string>()];
  let ids = 0;
  let isCalm = false;
  /** Attempts that are still on their way. */
  const late: (() => void)[] = [];
  const sentTo = new Map<string, string[]>();

  function edit(device: Device): void {
    const { list } = device;
    const what = pick(4);
    if (what === 0 && list.length < device.most) {
      const id = String(ids++);
      list.splice(pick(list.length + 1), 0, id);
      added.add(id);
      count('added');
    } else if (what === 1 && list.length > 1) {
      const [id = ''] = list.splice(pick(list.length), 1);
      list.splice(pick(list.length + 1), 0, id);
      count('moved');
    } else if (what === 2 && list.length > 0 && next() < 0.5) {
      const [id = ''] = list.splice(pick(list.length), 1);
      deleted.add(id);
      count('deleted');
    } else {
      device.theme = `"theme ${ids++}"`;
      count('chosen');
    }
  }

  /** One attempt to send what the device has kept as sent; returns whether it was answered. */
  function* attempt(device: Device): Generator<undefined, boolean> {
    const { sent, id } = device.state;
    if (!sent || !id) return true;
    const { base, set, del } = sent;
    const name = `${id.device} ${id.number}`;
    if (sentTo.has(name)) count('repeated');
    else sentTo.set(name, []);
    const arrive = () => {
      const unseen = [...Object.keys(set), ...del].flatMap((key) => {
        const { text = '', revision = 0 } = server.fields.get(key) ?? {};
        const isUnseen = text !== '' && revision > base && text !== set[key];
        return isUnseen && contentOf(text) !== '{}' ? [text] : [];
      });
      const before = server.revision;
      const answer = server.write(id, base, set, del);
      if (server.revision > before) sentTo.set(name, unseen);
      return answer;
    };
    const way = isCalm ? 1 : next();
    if (way < 0.1) late.push(arrive);
    if (way < 0.2) return false;
    const answer = arrive();
    yield;
    if (way < 0.4) return false;
    expect(answer, `seed ${from}`).toBeDefined();
    const replaced = answer?.replaced.map(({ field, text }) => ({ key: field, text })) ?? [];
    device.keep(written(device.state, replaced));
    for (const text of sentTo.get(name) ?? []) {
      expect(device.offered).toContain(text);
      count('offered');
    }
    return true;
  }

  /** The steps of a synchronisation; anything may happen between two of them, and it may end after any. */
  function* steps(device: Device) {
    if (device.state.readAt > 0) {
      if (!(yield* attempt(device))) return;
      const { set, del } = pendingOf(device.state, device.local, DOCUMENTS);
      if (Object.keys(set).length + del.length > 0) {
        const write = { name: 'd', base: device.state.revision, set, del };
        device.keep(writing(device.state, write, () => String(devices.indexOf(device))));
        yield;
        if (!(yield* attempt(device))) return;
        yield;
      }
    }
    const since = askedSince(device.state, NOW);
    const answer = server.since(since);
    yield;
    const before = device.local;
    const changes = changesOf(device.state, since, answer);
    const isNew = device.state.readAt === 0;
    const state: SyncState = isNew ? met(device.state, before, changes) : device.state;
    const after = device.show(mergedWith(state, before, DOCUMENTS, changes));
    if (Object.keys(after).length < Object.keys(server.present).length) count('not held');
    device.keep(settled(state, before, after, DOCUMENTS, changes, NOW));
  }

  function arriveLate(): void {
    for (const arrive of late.splice(0)) {
      arrive();
      count('came late');
    }
  }

  const running = devices.map((device) => ({ device, steps: undefined as Generator | undefined }));
  for (let step = 0; step < 60; step++) {
    const one = running[pick(running.length)] as (typeof running)[number];
    const what = next();
    if (what < 0.4) edit(one.device);
    else if (what < 0.95) {
      one.steps ??= steps(one.device);
      if (one.steps.next().done) one.steps = undefined;
    } else one.steps = undefined;
    if (next() < 0.1) arriveLate();
  }
  isCalm = true;
  for (let round = 0; round < 3; round++) {
    for (const device of devices) for (const _ of steps(device));
    arriveLate();
  }
  // Each theme is chosen once: one that is there twice was written again over a later one.
  const themes = server.history.filter((entry) => entry.startsWith('d/theme '));
  expect(themes, `seed ${from}`).toEqual([...new Set(themes)]);
  const lasting = [...added].filter((id) => !deleted.has(id)).sort();
  const kept = listOfFields('d/list', server.present).map(({ id }) => id);
  expect(kept, `seed ${from}`).toEqual(expect.arrayContaining(lasting));
  // A write that the server gets after the deletion brings an element back.
  if (kept.length > lasting.length) count('brought back');
  for (const device of devices) {
    expect(device.list, `seed ${from}`).toEqual(kept.slice(0, device.most));
    expect(device.theme, `seed ${from}`).toBe(server.present['d/theme']);
    expect(pendingOf(device.state, device.local, DOCUMENTS)).toEqual({ set: {}, del: [] });
  }
  // What all know is deleted for good.
  const [first] = devices;
  const gone = first?.list.shift();
  for (const device of devices) for (const _ of steps(device));
  for (const device of devices) for (const _ of steps(device));
  expect(listOfFields('d/list', server.present).map(({ id }) => id)).toEqual(
    kept.filter((id) => id !== gone),
  );
  for (const device of devices) expect(device.list).not.toContain(gone);
}
