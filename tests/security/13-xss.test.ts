import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAppStatus } from '#domain/api/read-common';
import { ATTRIBUTES, articleHtml, TAGS } from '../../src/features/news/articleHtml';
import { MARKUP } from '../markup';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, fieldsOf, startServer, validParams } from './calls';

describe('an article', () => {
  it.each(MARKUP.map((html) => [html.slice(0, 60), html]))(
    'of %j keeps nothing that runs',
    (_, html) => {
      const parser = new Parser({
        onopentag(name, attributes) {
          expect(TAGS).toContain(name);
          for (const attribute of Object.keys(attributes)) expect(ATTRIBUTES).toContain(attribute);
        },
      });
      parser.end(articleHtml(html));
    },
  );

  it('has no tag and no attribute that runs, embeds or styles', () => {
    for (const tag of [
      'script',
      'style',
      'iframe',
      'object',
      'embed',
      'svg',
      'math',
      'form',
      'base',
    ]) {
      expect(TAGS).not.toContain(tag);
    }
    expect(
      ATTRIBUTES.filter((name) => /^(on\w*|style|srcdoc|action|id|name|class)$/.test(name)),
    ).toEqual([]);
  });
});

describe('what a user writes', () => {
  let server: TestServer;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ server, stop } = await startServer(['--title', '"><script>alert(1)</script>']));
  });
  afterAll(() => stop());

  it.each(endpoints)('is no page in the answer of %s', async (name, endpoint) => {
    const { token } = await server.demoUser();
    const texts = Object.fromEntries(
      fieldsOf(endpoint).map(([field]) => [field, '<script>alert(1)</script>']),
    );
    const given =
      name === 'logout' ? validParams(endpoint) : { ...validParams(endpoint), ...texts };
    const { headers } = await ask(server, endpoint, given, { authorization: token });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

it.each([
  'javascript:alert(1)',
  'data:text/html,<script>',
  'http:',
  '//evil.example',
  ' https://x',
  'HTTPS',
])('a browser is not sent to %j when the app is out of service', (loss_url) =>
  expect(readAppStatus({ status: 1, type: 0, loss_url })?.lossUrl).toBe(''),
);
