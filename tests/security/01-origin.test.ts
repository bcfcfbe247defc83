import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../server/support/testServer';
import { ask, changing, endpoints, REFUSED_FOREIGN, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ server, stop } = await startServer(['--origins', 'https://m.example.com']));
});
afterAll(() => stop());

describe.each(changing)('%s', (_name, endpoint) => {
  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a link', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }],
    ['a typed address', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerendering', { 'sec-purpose': 'prefetch;prerender' }],
    ['an old prefetch', { purpose: 'prefetch' }],
  ])('is refused to %s', async (_who, headers) => {
    const answer = await ask(server, endpoint, validParams(endpoint), headers);
    expect(answer).toMatchObject({ status: 200, code: REFUSED_FOREIGN, data: null });
  });

  it.each([
    ['the own page', () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' })],
    [
      'a page of its sites',
      () => ({ origin: 'https://m.example.com', 'sec-fetch-site': 'cross-site' }),
    ],
    ['a program', () => ({})],
  ])('is not refused to %s', async (_who, headers) => {
    const answer = await ask(server, endpoint, validParams(endpoint), headers());
    expect(answer.code).not.toBe(REFUSED_FOREIGN);
  });
});

it('covers calls of all kinds', () => {
  expect(changing.length).toBeGreaterThan(20);
  expect(endpoints.length).toBeGreaterThan(50);
});
