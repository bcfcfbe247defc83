import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, fieldsOf, MALFORMED, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
let token: string;
beforeAll(async () => {
  ({ server, stop } = await startServer());
  ({ token } = await server.realUser());
});
afterAll(() => stop());

const withFields = endpoints.filter(([name]) => name !== 'uploadPicture');

it.each(withFields)('%s takes each parameter once', async (_name, endpoint) => {
  const params = validParams(endpoint);
  const valid = String(new URLSearchParams(params));
  for (const [name] of fieldsOf(endpoint)) {
    for (const more of [params[name] ?? '', '2']) {
      const twice = `${valid}&${new URLSearchParams({ [name]: more })}`;
      const answer = await ask(server, endpoint, twice, { authorization: token });
      expect(answer).toMatchObject({ status: 200, code: MALFORMED, data: null });
    }
    // Other spellings of a list are unknown parameters.
    if (endpoint.method !== 'POST') continue;
    const asList = await server.post(
      endpoint.path,
      { ...params, [name]: [params[name], params[name]] },
      { authorization: token },
    );
    expect(asList.code).toBe(MALFORMED);
  }
});
