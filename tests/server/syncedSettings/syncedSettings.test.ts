import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  GONE_KEPT_MS,
  MOST_BYTES,
  MOST_DEVICES,
  MOST_FIELDS,
  MOST_WRITTEN,
} from '#domain/account/syncedSettings';
import type { SettingsChangesRow } from '#domain/api/settings';
import type { SessionRow } from '#domain/api/user';
import { toDurationMs } from '#domain/core/time';
import { settingsFields, settingsRevisions, settingsWrites } from '../../../server/db/schema';
import { send } from '../http/testHttp';
import { TestClient } from '../socket/testSockets';
import { onEachDatabase } from '../support/database';
import { as, PASSWORD, TestServer } from '../support/testServer';

const PATH = '/api/user/settings';
const DEVICE = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a00';
const OTHER = DEVICE.replace(/00$/, '01');
const MINUTE = toDurationMs(60_000);

interface Saved {
  revision: number;
  replaced: { field: string; value: unknown }[];
}

onEachDatabase((database) => {
  let server: TestServer;
  let user: SessionRow;
  beforeAll(async () => {
    server = await TestServer.open(database.db, { args: ['--requests-per-minute', '100000'] });
  });
  beforeEach(async () => {
    user = await server.demoUser();
  });
  afterAll(() => server.close());

  const post = (params: object, of = user) => server.post(PATH, params, as(of.token));
  const save = async (base: number, set: object, del: string[] = [], name = 'lists') => {
    const { code, msg, data } = await post({ name, base, set, del });
    expect([code, msg]).toEqual([1, '']);
    return data as Saved;
  };
  const read = async (since = 0, of = user) => {
    const { data } = await server.get(`${PATH}?since=${since}`, as(of.token));
    return data as SettingsChangesRow;
  };
  const repeatable = (number: number, base: number, set: object, device = DEVICE) =>
    post({ name: 'lists', base, set, del: [], id: { device, number } });
  const fieldsOf = async (since = 0) => (await read(since)).docs[0];

  it('answers all fields since 0, and what has changed since a revision', async () => {
    expect(await read()).toEqual({ revision: 0, docs: [] });
    expect(await save(0, { 'watch/1': { at: 1 }, 'watch/2': 'two' })).toEqual({
      revision: 1,
      replaced: [],
    });
    expect(await save(1, { theme: 'dark' }, [], 'appearance')).toMatchObject({ revision: 2 });
    expect(await save(2, { 'watch/1': { at: 2 } }, ['watch/2', 'never'])).toMatchObject({
      revision: 3,
    });
    expect(await read(2)).toEqual({
      revision: 3,
      docs: [
        {
          name: 'lists',
          fields: { 'watch/1': { value: { at: 2 }, revision: 3 } },
          gone: [{ field: 'watch/2', revision: 3 }],
        },
      ],
    });
    expect(await read()).toEqual({
      revision: 3,
      docs: [
        { name: 'appearance', fields: { theme: { value: 'dark', revision: 2 } }, gone: [] },
        { name: 'lists', fields: { 'watch/1': { value: { at: 2 }, revision: 3 } }, gone: [] },
      ],
    });
  });

  it('answers what a write replaces unseen, and makes nothing of one that changes nothing', async () => {
    await save(0, { a: 1, b: 1, c: 1 });
    await save(1, { a: 2, b: 2, c: 2 });
    const { revision, replaced } = await save(1, { a: 3, b: 2 }, ['c']);
    expect(revision).toBe(3);
    expect(replaced).toEqual([
      { field: 'a', value: 2 },
      { field: 'c', value: 2 },
    ]);
    expect(await save(1, { a: 3 }, ['c'])).toEqual({ revision: 3, replaced: [] });
    expect((await save(3, { a: 4 })).replaced).toEqual([]);
  });

  it('answers a repeated write as the first one, and writes it once', async () => {
    await save(0, { a: 1 });
    await save(1, { a: 2 });
    const first = await repeatable(1, 1, { a: 3 });
    expect(first.data).toEqual({ revision: 3, replaced: [{ field: 'a', value: 2 }] });
    await save(3, { a: 'later' });
    expect(await repeatable(1, 1, { a: 3 })).toEqual(first);
    expect(await read()).toMatchObject({
      revision: 4,
      docs: [{ fields: { a: { value: 'later' } } }],
    });
    // One that has changed nothing, too.
    expect((await repeatable(2, 4, { a: 'later' })).data).toEqual({ revision: 4, replaced: [] });
    await save(4, { a: 'last' });
    expect((await repeatable(2, 4, { a: 'later' })).data).toEqual({ revision: 4, replaced: [] });
    expect((await fieldsOf())?.fields).toMatchObject({ a: { value: 'last' } });
    // Another device, another user: theirs are others.
    expect((await repeatable(2, 5, { a: 'later' }, OTHER)).data).toMatchObject({ revision: 6 });
    user = await server.demoUser();
    expect((await repeatable(2, 4, { a: 'later' })).data).toMatchObject({ revision: 1 });
  });

  it('repeats nothing that was refused, and takes it when there is room', async () => {
    const text = 'x'.repeat(MOST_BYTES);
    await repeatable(1, 0, { a: 1 });
    expect((await repeatable(2, 1, { b: text })).code).toBe(2);
    expect((await repeatable(2, 1, { b: 'less' })).data).toMatchObject({ revision: 2 });
  });

  it('refuses a write that comes after the next one, or that has other contents, and writes nothing', async () => {
    await repeatable(1, 0, { a: 1 });
    await repeatable(2, 1, { a: 2 });
    for (const answer of [
      await repeatable(1, 0, { a: 1 }),
      await repeatable(2, 1, { a: 3 }),
      await repeatable(2, 0, { a: 2 }),
    ]) {
      expect(answer).toMatchObject({ status: 200, code: 422, data: null });
    }
    expect(await read()).toMatchObject({ revision: 2, docs: [{ fields: { a: { value: 2 } } }] });
  });

  it('writes once what comes twice at the same moment', async () => {
    await save(0, { a: 1 });
    const both = await Promise.all([repeatable(1, 0, { a: 2 }), repeatable(1, 0, { a: 2 })]);
    const answer = { revision: 2, replaced: [{ field: 'a', value: 1 }] };
    expect(both.map(({ data }) => data)).toEqual([answer, answer]);
  });

  it('keeps the last writes of few devices, in little room, for 90 days', async () => {
    const kept = async () =>
      (
        await database.db
          .select()
          .from(settingsWrites)
          .where(eq(settingsWrites.userId, user.user.id))
      )
        .map(({ device }) => Number.parseInt(device.slice(-2), 16))
        .sort((a, b) => a - b);
    const deviceOf = (index: number) => DEVICE.replace(/00$/, String(index + 16));
    user = await server.realUser();
    for (let index = 0; index < MOST_DEVICES + 3; index++) {
      expect((await repeatable(1, index, { a: index }, deviceOf(index))).code).toBe(1);
      server.clock.jump(toDurationMs(1000));
    }
    const numbers = Array.from({ length: MOST_DEVICES }, (_, index) => index + 3);
    expect(await kept()).toEqual(numbers.map((each) => Number.parseInt(String(each + 16), 16)));
    // Long answers: together they get the room of one user's settings.
    const large = 'x'.repeat(MOST_BYTES * 0.6);
    await save(99, { a: large });
    for (const index of [0, 1]) {
      await repeatable(1, 0, { a: index === 0 ? `y${large}` : 'small' }, deviceOf(index));
      server.clock.jump(toDurationMs(1000));
    }
    expect(await kept()).toEqual([0x17]);
    server.clock.jump(GONE_KEPT_MS);
    user = (await server.login(user.user.email)).data;
    await repeatable(1, 0, { a: 'new' }, deviceOf(2));
    expect(await kept()).toEqual([0x18]);
  });

  it('tells the open devices of the user, and nobody else', async () => {
    const connect = async ({ token }: SessionRow) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`);
      const client = new TestClient(socket);
      await once(socket, 'open');
      await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token });
      return client;
    };
    const [own, stranger] = [await connect(user), await connect(await server.demoUser())];
    await save(0, { a: 1 });
    await save(1, { a: 1 });
    await own.settled();
    await stranger.settled();
    expect(own.data('SETTINGS')).toEqual([{ revision: 1 }]);
    expect(stranger.data('SETTINGS')).toEqual([]);
    own.socket.terminate();
    stranger.socket.terminate();
  });

  it('keeps the settings of users apart', async () => {
    const other = await server.demoUser();
    await save(0, { a: 1 });
    expect((await post({ name: 'lists', base: 0, set: { a: 2 }, del: [] }, other)).data).toEqual({
      revision: 1,
      replaced: [],
    });
    expect((await fieldsOf())?.fields).toMatchObject({ a: { value: 1 } });
  });

  it('forgets a deletion after 90 days, and never goes back', async () => {
    user = await server.realUser();
    /** The session has ended by then. */
    const pass = async (time: number) => {
      server.clock.jump(time);
      user = (await server.login(user.user.email)).data;
    };
    await save(0, { a: 1, b: 1 });
    await save(1, {}, ['a']);
    await pass(GONE_KEPT_MS - 1000);
    await save(2, { b: 2 });
    expect((await fieldsOf(1))?.gone).toEqual([{ field: 'a', revision: 2 }]);
    await pass(MINUTE);
    await save(3, { b: 3 });
    expect((await fieldsOf(1))?.gone).toEqual([]);
    await save(4, {}, ['b']);
    await pass(GONE_KEPT_MS + 1000);
    expect(await save(5, { c: 1 })).toMatchObject({ revision: 6 });
  });

  it('takes 200 KB, and refuses more as a whole', async () => {
    const size = (MOST_BYTES - 4 * 'lists1""'.length) / 4;
    const text = 'x'.repeat(size);
    expect(await save(0, { 1: text, 2: text, 3: text, 4: text })).toMatchObject({ revision: 1 });
    const refused = await post({ name: 'lists', base: 1, set: { 1: 'less', 5: text }, del: [] });
    expect(refused).toMatchObject({ status: 200, code: 2, data: null });
    expect(refused.msg).toMatch(/200 KB/);
    const more = await post({ name: 'lists', base: 1, set: { 1: `${text}x` }, del: [] });
    expect(more.code).toBe(2);
    const { docs, revision } = await read();
    expect([revision, docs[0]?.fields['1']?.value]).toEqual([1, text]);
    // What another field gives up is room.
    expect(await save(1, { 1: `${text}x` }, ['4'])).toMatchObject({ revision: 2 });
  });

  it('refuses more fields than a user may have', async () => {
    const some = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${from + index}`, 1]));
    for (let from = 0; from < MOST_FIELDS; from += MOST_WRITTEN) {
      await save(0, some(from, Math.min(MOST_WRITTEN, MOST_FIELDS - from)));
    }
    expect((await post({ name: 'other', base: 0, set: { a: 1 }, del: [] })).code).toBe(2);
    expect((await post({ name: 'lists', base: 0, set: some(0, 10_000), del: [] })).code).toBe(400);
  });

  const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const body = (set: string, rest = '"base":0,"del":[]') => `{"name":"lists",${rest},"set":${set}}`;
  it.each([
    ['a set that is a list', body('[1]')],
    ['a set that is a text', body('"a"')],
    ['null', body('{"a":null}')],
    ['an infinite number', body('{"a":1e999}')],
    ['an infinite number inside', body('{"a":[{"b":1e999}]}')],
    ['a deep value', body(`{"a":${deep(40)}}`)],
    ['a very deep value', body(`{"a":${deep(60_000)}}`)],
    ['a prototype', body('{"__proto__":1}')],
    ['a prototype inside', body('{"a":{"__proto__":{"b":1}}}')],
    ['a constructor', body('{"constructor":1}')],
    ['a prototype as the name of an element', body('{"watch/__proto__":1}')],
    ['a prototype to delete', body('{}', '"base":0,"del":["__proto__"]')],
    ['a name of two lines', body('{"a\\nb":1}')],
    ['a name with NUL', body('{"a\\u0000":1}')],
    ['an empty name', body('{"":1}')],
    ['a long name', body(`{"${'a'.repeat(201)}":1}`)],
    ['a name that is none', '{"name":{},"base":0,"set":{},"del":[]}'],
    ['no name', '{"base":0,"set":{"a":1},"del":[]}'],
    ['a negative base', body('{"a":1}', '"base":-1,"del":[]')],
    ['NaN', body('{"a":NaN}')],
    ['a deletion that is no text', body('{}', '"base":0,"del":[1]')],
    ...(
      [
        ['that is a text', '"a"'],
        ['without a number', `{"device":"${DEVICE}"}`],
        ['without a device', '{"number":1}'],
        ['with a device that is no UUID', '{"device":"phone","number":1}'],
        ['with a negative number', `{"device":"${DEVICE}","number":-1}`],
        ['with half a number', `{"device":"${DEVICE}","number":1.5}`],
        ['with an endless number', `{"device":"${DEVICE}","number":1e999}`],
        ['with a number too large', `{"device":"${DEVICE}","number":2147483648}`],
        ['with a number as text', `{"device":"${DEVICE}","number":"1"}`],
      ] as const
    ).map(([what, id]) => [`an id ${what}`, body('{"a":1}', `"base":0,"del":[],"id":${id}`)]),
    ['deletions that are no list', body('{}', '"base":0,"del":"a"')],
    [
      'too many deletions',
      body('{}', `"base":0,"del":${JSON.stringify(Array(MOST_WRITTEN + 1).fill('a'))}`),
    ],
  ])('refuses %s as malformed, and writes nothing', async (_what, text) => {
    const headers = { 'content-type': 'application/json', ...as(user.token) };
    const answer = await send(server.url + PATH, { method: 'POST', headers, body: text });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([200, 400]);
    expect(await read()).toEqual({ revision: 0, docs: [] });
  });

  it('reads no megabyte', async () => {
    const answer = await post({ name: 'lists', base: 0, set: { a: 'x'.repeat(2 ** 20) }, del: [] });
    expect(answer.status).toBe(413);
  });

  it('knows no names of documents, and keeps any JSON as it came', async () => {
    const value = { b: [1.5, 'ü', null, { c: false }], a: '\u0000\ud800</script>' };
    await save(0, { [`a/${'b'.repeat(198)}`]: value }, [], 'of a later version');
    const [doc] = (await read()).docs;
    expect(Object.values(doc?.fields ?? {})).toEqual([{ value, revision: 1 }]);
  });

  it('refuses a write too many within a minute, and takes it later', async () => {
    const codes: number[] = [];
    for (let count = 0; count < 181; count++) {
      codes.push((await post({ name: 'lists', base: 0, set: { a: count }, del: [] })).status);
    }
    expect(codes.filter((status) => status !== 200)).toEqual([429]);
    server.clock.jump(MINUTE);
    expect(await save(0, { a: 'later' })).toMatchObject({ revision: 181 });
  });

  it('needs a token', async () => {
    for (const answer of [await server.get(PATH), await server.post(PATH, { name: 'a' })]) {
      expect(answer).toMatchObject({ status: 200, code: 999 });
    }
  });

  it('is in the personal data, and goes with the account', async () => {
    user = await server.realUser();
    await save(0, { a: 'mine' });
    await repeatable(1, 1, { a: 'mine' });
    const call = (path: string) =>
      server.form(`/api/user/${path}`, { password: PASSWORD }, as(user.token));
    const { data } = await call('export');
    expect(data.settings_writes).toMatchObject([{ device: DEVICE, number: 1 }]);
    expect(data.settings_fields).toMatchObject([{ name: 'lists', field: 'a', value: '"mine"' }]);
    expect((await call('close_account')).code).toBe(1);
    for (const table of [settingsFields, settingsRevisions, settingsWrites]) {
      expect(await database.db.$count(table, eq(table.userId, user.user.id))).toBe(0);
    }
  });
});
