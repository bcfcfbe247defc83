import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { route } from '../../../server/http/route';
import { FakeClock } from '../support/fakeClock';
import { PATIENT } from '../support/patient';
import { send, serve } from './testHttp';

const clock = new FakeClock();
const write = call({
  method: 'POST',
  body: 'json',
  path: '/api/write',
  access: 'public',
  effect: 'changes',
  params: { text: v.string() },
  answer: v.number(),
});

let url: string;
let app: FastifyInstance;
const accepted: Socket[] = [];
beforeAll(async () => {
  ({ url, app } = await serve(
    (server) =>
      route(server, write, {
        bodyLimit: 1024 * 1024,
        handler: ({ params }) => params.text.length,
      }),
    { clock },
  ));
  app.server.on('connection', (socket) => accepted.push(socket));
});
afterAll(() => app.close());

const BODY = JSON.stringify({ text: 'x'.repeat(200_000) });

/** Sends the head of a call and some of its body; `received` resolves once the server has it. */
async function begin(path: string, method: string, body: string, length = BODY.length) {
  const { hostname, port } = new URL(url);
  const client = connect(Number(port), hostname);
  const connected = accepted.length;
  await once(client, 'connect');
  await expect.poll(() => accepted.length, PATIENT).toBe(connected + 1);
  const server = accepted.at(-1) as Socket;
  let answer = '';
  client.on('data', (chunk) => {
    answer += chunk;
  });
  let sent = 0;
  const more = async (text: string) => {
    sent += text.length;
    client.write(text);
    await expect.poll(() => server.bytesRead, PATIENT).toBe(sent);
  };
  const type = `Content-Type: application/json\r\nContent-Length: ${length}`;
  await more(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${type}\r\n\r\n${body}`);
  await expect.poll(() => clock.awaited, PATIENT).toBe(body !== BODY);
  return { client, more, answer: () => answer, closed: once(client, 'close') };
}

describe('a body', () => {
  it.each([
    ['of a call', '/api/write', 'POST'],
    ['that no call takes', '/nothing', 'POST'],
    ['of a page', '/', 'GET'],
  ])('%s is cut when it has not ended after 30 s', async (_name, path, method) => {
    const { closed, answer } = await begin(path, method, '{', 1000);
    clock.pass(30_000);
    await closed;
    expect(answer()).toMatch(/HTTP\/1.1 (408|404) /);
  });

  it('that arrives byte by byte is cut as well', async () => {
    const { closed, more, answer } = await begin('/api/write', 'POST', '{');
    for (let seconds = 0; seconds < 30; seconds += 5) {
      clock.pass(5_000);
      if (seconds < 25) await more(' ');
    }
    await closed;
    expect(answer()).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that arrives at 64 KiB in 30 s is accepted', async () => {
    const { client, more, answer } = await begin('/api/write', 'POST', '');
    const step = 64 * 1024;
    for (let at = 0; at < BODY.length; at += step) {
      clock.pass(29_999);
      await more(BODY.slice(at, at + step));
      clock.pass(1);
    }
    await expect.poll(answer, PATIENT).toContain('"data":200000');
    client.destroy();
  });

  it('that has ended sets no limit to its connection', async () => {
    const { client, answer } = await begin('/api/write', 'POST', BODY);
    await expect.poll(answer, PATIENT).toContain('"data":200000');
    clock.pass(60_000);
    expect(client.destroyed).toBe(false);
    client.destroy();
  });

  it.each(['gzip', 'br', 'deflate', 'x'])(
    'that is compressed (%s) is refused',
    async (encoding) => {
      const answer = await send(`${url}/api/write`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding, lang: 'en' },
        body: gzipSync(BODY).toString('latin1'),
      });
      expect(answer.status).toBe(415);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 415, data: null });
    },
  );
});
