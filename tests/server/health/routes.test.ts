import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthRoutes } from '../../../server/health/routes';
import { send, serve } from '../http/testHttp';
import { FakeClock } from '../support/fakeClock';

describe('/healthz and /readyz', () => {
  const clock = new FakeClock();
  let app: FastifyInstance;
  let url: string;
  let started: boolean;
  let asked: number;
  let database: () => Promise<unknown>;
  beforeEach(async () => {
    started = true;
    asked = 0;
    database = async () => {};
    ({ app, url } = await serve((http) =>
      healthRoutes(http, {
        isStarted: () => started,
        askDatabase() {
          asked++;
          return database();
        },
        clock,
      }),
    ));
    clock.pass(60_000);
  });
  afterEach(() => app.close());

  const statusOf = async (path: string) => (await send(url + path)).status;

  it('answer with an envelope, and tell nothing else', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, text } = await send(url + path);
      expect([status, text]).toEqual([200, '{"code":1,"msg":"","data":null}']);
    }
  });

  it('answer HEAD as GET, without a body', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, text } = await send(url + path, { method: 'HEAD' });
      expect([status, text]).toEqual([200, '']);
    }
    started = false;
    expect((await send(`${url}/readyz`, { method: 'HEAD' })).status).toBe(503);
  });

  it('before the start the process is healthy, but not ready', async () => {
    started = false;
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
  });

  it('without its database the server is not ready, and says when to ask again', async () => {
    database = () =>
      Promise.reject(new Error('ECONNREFUSED at a host that nobody should learn of'));
    const { status, headers, text } = await send(`${url}/readyz`);
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('2');
    expect(text).not.toContain('ECONNREFUSED');
    expect(await statusOf('/healthz')).toBe(200);
    database = async () => {};
    clock.pass(1_000);
    expect(await statusOf('/readyz')).toBe(200);
  });

  it('the database is asked once a second, however many ask', async () => {
    await Promise.all(Array.from({ length: 20 }, () => statusOf('/readyz')));
    expect(asked).toBe(1);
    clock.pass(1_000);
    await statusOf('/readyz');
    expect(asked).toBe(2);
  });

  it('a database that does not answer is none', async () => {
    database = () => new Promise(() => {});
    const answer = statusOf('/readyz');
    await expect.poll(() => asked).toBe(1);
    clock.pass(2_000);
    expect(await answer).toBe(503);
  });
});
