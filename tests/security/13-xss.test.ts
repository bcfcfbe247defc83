import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appStatus } from '#domain/api/common';
import { parse } from '#domain/api/schema';
import { ATTRIBUTES, articleHtml, TAGS } from '../../src/features/news/articleHtml';
import { MARKUP } from '../helpers/markup';
import { send } from '../server/http/testHttp';
import { as, type TestServer } from '../server/support/testServer';
import { formOf, jpeg, upload } from '../server/uploads/pictures';
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

describe('text of a user', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(['--title', '"><script>alert(1)</script>']);
  });
  afterAll(() => server.close());

  it.each(endpoints)('is never sent as HTML by %s', async (name, endpoint) => {
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

  // Stored as it was written: the page shows it as text (tests/src/app/markup.test.tsx).
  it.each(MARKUP.slice(-12))('as a name to verify is refused or kept as text: %j', async (name) => {
    const { token } = await server.realUser();
    const picture = await jpeg(64, 40);
    const photo = async () => (await upload(server.url, token, formOf(picture))).data.url;
    const form = {
      name,
      card_id: 'X1234567',
      front_pic: await photo(),
      reverse_pic: await photo(),
    };
    const { code } = await server.post('/api/user_real/real_name', form, as(token));
    const answer = await send(`${server.url}/api/user_real/center`, { headers: as(token) });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text).data.name).toBe(code === 1 ? name : '');
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
  expect(parse(appStatus.answer, { status: 1, type: 0, loss_url })?.lossUrl).toBe(''),
);
