import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTurn } from '../../../helpers/samples';
import { onEachDatabase } from '../../support/database';
import { PATIENT } from '../../support/patient';
import { as, TestServer } from '../../support/testServer';
import { formOf, jpeg, upload } from '../../uploads/pictures';

onEachDatabase((database) => {
  let server: TestServer;
  let token: string;
  let picture: Buffer;
  beforeAll(async () => {
    server = await TestServer.open(database.db, { args: ['--no-auto-review'] });
    picture = await jpeg(64, 40);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    ({ token } = await server.realUser());
  });

  const photo = async (owner = token): Promise<string> =>
    (await upload(server.url, owner, formOf(picture))).data.url;
  const form = async (changes: object = {}) => ({
    name: 'Ada Lovelace',
    card_id: 'X1234567',
    front_pic: await photo(),
    reverse_pic: await photo(),
    ...changes,
  });
  const submit = (params: object, headers: Record<string, string> = {}) =>
    server.post('/api/user_real/real_name', params, { ...as(token), ...headers });
  const center = async () => (await server.get('/api/user_real/center', as(token))).data;
  const nothing = {
    review_status: 0,
    name: '',
    card_id: '',
    front_pic: '',
    reverse_pic: '',
    reason: '',
  };

  it('is empty before it is submitted, and under review afterwards', async () => {
    expect(await center()).toEqual(nothing);
    expect(await submit(await form({ name: ' Ada Lovelace ' }))).toMatchObject({
      code: 1,
      data: null,
    });
    const now = await center();
    expect(now).toMatchObject({ review_status: 1, name: 'Ada Lovelace', card_id: 'X1234567' });
    for (const url of [now.front_pic, now.reverse_pic]) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
    }
    expect(now.front_pic).not.toBe(now.reverse_pic);
  });

  it('returns new addresses of its pictures each time', async () => {
    await submit(await form());
    const { front_pic: first } = await center();
    server.clock.pass(5 * 60_000);
    expect((await fetch(first)).status).toBe(404);
    const { front_pic: second } = await center();
    expect((await fetch(second)).status).toBe(200);
  });

  it('accepts an expired address of a picture, with any host', async () => {
    const params = await form();
    server.clock.pass(10 * 60_000);
    const front_pic = params.front_pic.replace(server.url, 'https://api.example.com');
    const { pathname: reverse_pic } = new URL(params.reverse_pic);
    expect((await submit({ ...params, front_pic, reverse_pic })).code).toBe(1);
  });

  it.each([
    [{ name: '', card_id: '' }, 'Please complete your personal information'],
    [{ name: ' ' }, 'Please enter your name'],
    [{ card_id: '' }, 'Please enter your passport/ID number'],
    [{ card_id: '?' }, 'This is not a passport/ID number'],
    [{ front_pic: '' }, 'Please upload the front and back of your passport/ID'],
    [{ reverse_pic: '' }, 'Please upload the front and back of your passport/ID'],
    [{ front_pic: '/a,/b' }, 'Please upload the front and back of your passport/ID'],
    [{ front_pic: 'https://example.com/photo.jpg' }, 'Please upload the picture again'],
    [{ front_pic: '/api/common/image/AAAAAAAAAAAAAAAAAAAAAA' }, 'Please upload the picture again'],
  ])('refuses %j: %s', async (changes, msg) => {
    expect(await submit(await form(changes))).toMatchObject({ status: 200, code: 2, msg });
    expect(await center()).toEqual(nothing);
  });

  it('has exactly one front and one back, which differ', async () => {
    const front_pic = await photo();
    for (const reverse_pic of [front_pic, front_pic.replace('expires', 'x')]) {
      const refused = await submit(await form({ front_pic, reverse_pic }));
      expect(refused.msg).toBe('Front and back are the same picture');
    }
    const list = await submit(await form({ front_pic: [front_pic] }));
    expect(list.code).toBe(400);
    expect(await center()).toEqual(nothing);
  });

  it('refuses pictures of other users', async () => {
    const stranger = (await server.realUser()).token;
    const refused = await submit(await form({ front_pic: await photo(stranger) }));
    expect(refused.msg).toBe('Please upload the picture again');
    expect(await center()).toEqual(nothing);
  });

  it('is submitted once, however often the request is sent', async () => {
    const params = await form();
    const replies = await Promise.all([1, 2, 3, 4].map(() => submit(params)));
    expect(replies.map(({ code }) => code).sort()).toEqual([1, 2, 2, 2]);
    expect((await submit(params)).msg).toBe('Your verification is under review');
  });

  describe('with a key', () => {
    it('has the same answer for the same parameters', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const params = await form();
      expect((await submit(params, key)).code).toBe(1);
      expect((await submit(params, key)).code).toBe(1);
      expect((await submit({ ...params, name: 'Eve' }, key)).code).toBe(422);
      expect((await submit(params)).msg).toBe('Your verification is under review');
    });

    it('has its refusal stored', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const params = await form({ name: '' });
      const refused = await submit(params, key);
      expect(await submit(params, key)).toEqual(refused);
    });
  });

  it('keeps its pictures when unused ones are deleted', async () => {
    await submit(await form());
    const unused = await photo();
    server.clock.jump(24 * 3_600_000);
    server.clock.pass(3_600_000);
    const path = new URL(unused).pathname;
    const status = async () => (await fetch(server.url + path, { headers: as(token) })).status;
    await expect.poll(status, PATIENT).toBe(404);
    expect((await fetch((await center()).front_pic)).status).toBe(200);
    expect((await submit(await form({ front_pic: unused }))).code).toBe(2);
  });
});

describe('with automatic review', () => {
  onEachDatabase((database) => {
    inTurn(it)('is approved after thirty seconds, also over a restart', async () => {
      const settled = (server: TestServer, token: string, status: number) =>
        expect
          .poll(async () => {
            server.clock.pass(1_000);
            return (await server.get('/api/user_real/center', as(token))).data.review_status;
          }, PATIENT)
          .toBe(status);
      let server = await TestServer.open(database.db);
      const { token } = await server.realUser();
      const submit = async () => {
        const picture = await jpeg(64, 40);
        const [front, back] = [
          await upload(server.url, token, formOf(picture)),
          await upload(server.url, token, formOf(picture)),
        ];
        return server.post(
          '/api/user_real/real_name',
          {
            name: 'Ada',
            card_id: 'X1234567',
            front_pic: front.data.url,
            reverse_pic: back.data.url,
          },
          as(token),
        );
      };
      expect((await submit()).code).toBe(1);
      server.clock.pass(29_999);
      expect((await server.get('/api/user_real/center', as(token))).data.review_status).toBe(1);
      await server.close();

      server = await TestServer.open(database.db, {
        clock: server.clock,
        directory: server.directory,
      });
      await settled(server, token, 2);
      expect((await submit()).msg).toBe('You are already verified');
      await server.close();
    });
  });
});
