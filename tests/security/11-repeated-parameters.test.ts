import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, fieldsOf, MALFORMED, startServer, validParams } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.realUser());
});
afterAll(() => server.close());

const withFields = endpoints.filter(([name]) => name !== 'uploadPicture');

const posted = withFields.filter(([, { method }]) => method === 'POST');

describe.each(posted)('a JSON body of %s', (_name, endpoint) => {
  const post = async (body: string) => {
    const headers = { authorization: token, lang: 'en', 'content-type': 'application/json' };
    const { status, text } = await send(server.url + endpoint.path, {
      method: 'POST',
      headers,
      body,
    });
    return { status, ...JSON.parse(text) };
  };
  const refused = { status: 200, code: MALFORMED, data: null };

  it('has each key once', async () => {
    const params = validParams(endpoint);
    const write = (pairs: [name: string, value: string][]) =>
      `{${pairs.map(([name, value]) => `${name}:${JSON.stringify(value)}`).join(', ')}}`;
    const written = Object.entries(params).map(([name, value]): [string, string] => [
      JSON.stringify(name),
      value,
    ]);
    const fields = [...fieldsOf(endpoint).map(([name]) => name), 'unknown', 't'];
    for (const name of fields) {
      const quoted = JSON.stringify(name);
      const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`;
      const others = written.filter(([other]) => other !== quoted);
      const value = params[name] ?? '1';
      for (const [first, second] of [
        [quoted, quoted],
        [quoted, escaped],
        [escaped, quoted],
        [`${quoted} \n`, quoted],
      ] as const) {
        for (const more of [value, '2']) {
          const body = write([[first, value], ...others, [second, more]]);
          expect([body, await post(body)]).toMatchObject([body, refused]);
        }
      }
    }
    const nested = write([['"a":{"b":1,"b":1},"c"', '1'], ...written]);
    expect(await post(nested)).toMatchObject(refused);
  });
});

it.each(withFields)('%s accepts each parameter once', async (_name, endpoint) => {
  const params = validParams(endpoint);
  const valid = String(new URLSearchParams(params));
  // The schema of a field refuses a list as well; nothing else checks what is ignored otherwise.
  const fields = fieldsOf(endpoint).map(([field]) => field);
  for (const name of [...fields, 'unknown', 't']) {
    for (const more of [params[name] ?? '', '2']) {
      const once = name in params ? valid : `${valid}&${name}=1`;
      const twice = `${once}&${new URLSearchParams({ [name]: more })}`;
      const answer = await ask(server, endpoint, twice, { authorization: token });
      expect(answer).toMatchObject({ status: 200, code: MALFORMED, data: null });
    }
    // Other spellings of a list are unknown parameters, and in JSON an unknown one may be a list.
    if (endpoint.method !== 'POST' || !fields.includes(name)) continue;
    const asList = await server.post(
      endpoint.path,
      { ...params, [name]: [params[name], params[name]] },
      { authorization: token },
    );
    expect(asList.code).toBe(MALFORMED);
  }
});

it('sends no code for a body that names two addresses', async () => {
  const before = server.printed.length;
  const { text } = await send(`${server.url}/api/notify/send_email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', lang: 'en' },
    body: '{"to":"a@example.com","area_id":0,"type":1,"to":"b@example.com"}',
  });
  expect(JSON.parse(text)).toMatchObject({ code: MALFORMED, data: null });
  expect(server.printed.length).toBe(before);
});
