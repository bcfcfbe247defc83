import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ server, stop } = await startServer());
});
afterAll(() => stop());

/** What no answer may leave open, whichever it is (tests/server/http/security.test.ts has the whole policy). */
function expectClosed(headers: Record<string, unknown>): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
  });
  const policy = String(headers['content-security-policy']);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]) {
    expect(policy.split(';')).toContain(part);
  }
  expect(policy).not.toMatch(/unsafe|nonce|\*/);
  expect(headers['server']).toBeUndefined();
  expect(headers['x-powered-by']).toBeUndefined();
}

describe('content policy and framing', () => {
  it.each(endpoints)('of %s', async (_name, endpoint) => {
    const asked: Record<string, string>[] = [
      {},
      { 'sec-purpose': 'prefetch' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of asked) {
      const answer = await ask(server, endpoint, validParams(endpoint), headers);
      expectClosed(answer.headers);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(['/', '/nothing', '/api/nothing', '/%zz', '/api/common/picture/x'])(
    'of %s',
    async (path) => {
      expectClosed((await send(server.url + path)).headers);
    },
  );
});
