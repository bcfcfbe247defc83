import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../server/support/testServer';
import {
  ask,
  changing,
  count,
  endpoints,
  REFUSED_FOREIGN,
  startServer,
  validParams,
} from './calls';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(['--origins', 'https://m.example.com']);
});
afterAll(() => server.close());

describe.each(changing)('%s', (_name, endpoint) => {
  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['another site in an old browser', { origin: 'https://evil.example' }],
    ['another site that hides its origin in an old browser', { origin: 'null' }],
    ['a site whose name begins as ours', { origin: 'https://m.example.com.evil.example' }],
    ['our site without TLS', { origin: 'http://m.example.com' }],
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
    ['the own page in an old browser', () => ({ origin: server.url })],
    ['a page of its sites in an old browser', () => ({ origin: 'https://m.example.com' })],
    ['a program', () => ({})],
  ])('is not refused to %s', async (_who, headers) => {
    const answer = await ask(server, endpoint, validParams(endpoint), headers());
    expect(answer.code).not.toBe(REFUSED_FOREIGN);
  });
});

/** The headers that a browser sends for elements of a page, its own ones included. */
const EMBEDDED = [
  ...['image', 'script', 'style', 'font', 'audio', 'video', 'track', 'object', 'embed'],
  ...['iframe', 'frame', 'manifest', 'worker', 'sharedworker', 'serviceworker', 'xslt', 'report'],
];

describe.each(endpoints)('%s', (_name, endpoint) => {
  it('is refused when a page embeds it', async () => {
    for (const destination of EMBEDDED) {
      for (const site of ['same-origin', 'none']) {
        const answer = await ask(server, endpoint, validParams(endpoint), {
          'sec-fetch-dest': destination,
          'sec-fetch-site': site,
        });
        expect([destination, site, answer]).toMatchObject([
          destination,
          site,
          { status: 200, code: REFUSED_FOREIGN, data: null },
        ]);
      }
    }
  });

  it('is accepted from a script of the page', async () => {
    const answer = await ask(server, endpoint, validParams(endpoint), {
      'sec-fetch-dest': 'empty',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
    });
    expect(answer.code).not.toBe(REFUSED_FOREIGN);
  });
});

it('covers calls of all kinds', () => {
  expect(count).toBeGreaterThan(50);
  expect(changing.length).toBeGreaterThan(6);
});
