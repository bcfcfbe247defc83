import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../support/database';
import { as, TestServer } from '../support/testServer';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const ORDER = '/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.1&multiple=50';

describe('the id of a request', async () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    database = await emptyDatabase();
    server = await TestServer.open(database.db);
    await server.market.tick([1, 1.1], [2, 1.5]);
    ({ token } = await server.demoUser());
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  beforeEach(() => void server.events.splice(0));

  const fieldsOf = async (name: string) => {
    const found = () => server.events.filter((each) => each.name === name);
    await expect.poll(found).not.toEqual([]);
    return found().map(({ fields }) => fields);
  };

  it('is logged with the answer and with what was posted', async () => {
    const requestId = randomUUID();
    const { data } = await server.get(ORDER, { ...as(token), 'x-request-id': requestId });
    expect(await fieldsOf('request')).toMatchObject([
      { requestId, method: 'GET', route: '/v1/api/forex/submit', status: 200, answer: 1 },
    ]);
    expect(await fieldsOf('posted')).toEqual([
      {
        requestId,
        entries: [
          { id: expect.any(Number), kind: 'frozen', orderId: data.Id },
          { id: expect.any(Number), kind: 'fee', orderId: data.Id },
        ],
      },
    ]);
  });

  it('is that of each call where several share a transaction', async () => {
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const orders = await Promise.all(
      ids.map((id) => server.get(ORDER, { ...as(token), 'x-request-id': id })),
    );
    const posted = await fieldsOf('posted');
    for (const [index, { data }] of orders.entries()) {
      const own = posted.filter(({ requestId }) => requestId === ids[index]);
      expect(own).toMatchObject([{ entries: [{ orderId: data.Id }, { orderId: data.Id }] }]);
    }
  });

  it('is of the form of an id, whatever a stranger sends', async () => {
    for (const id of [
      '',
      'mine',
      `${randomUUID()}\u0000`,
      'a'.repeat(5_000),
      '{"level":"error"}',
    ]) {
      server.events.splice(0);
      await server.get(ORDER, { ...as(token), 'x-request-id': id.replace('\u0000', ' ;') });
      const [{ requestId } = {}] = await fieldsOf('request');
      expect(requestId).toMatch(UUID);
      expect(id).not.toContain(String(requestId));
    }
  });

  it('is not lost where nothing was changed: a refusal', async () => {
    const requestId = randomUUID();
    await server.get(ORDER.replace('cont=0.1', 'cont=0'), {
      ...as(token),
      'x-request-id': requestId,
    });
    const [request] = await fieldsOf('request');
    expect(request).toMatchObject({ requestId, answer: 2 });
    expect(server.events.map(({ name }) => name)).toEqual(['request']);
  });

  it('goes with no token, no query and no address', async () => {
    await server.get(`/api/user/info?token=${token}`, as(token));
    const text = JSON.stringify(await fieldsOf('request'));
    expect(text).not.toContain(token);
    expect(text).not.toContain('127.0.0.1');
  });
});
