import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, SIGNED_OUT, startServer, validParams } from './calls';

const REAL_ACCOUNT = 'Please register or log in to a real account';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const tokens = {
  visitor: async () => '',
  forged: async () => 'x'.repeat(43),
  demo: async () => (await server.demoUser()).token,
  real: async () => (await server.realUser()).token,
};
type Role = keyof typeof tokens;

/** The answer to each role, as the access of the endpoint says. */
const EXPECTED: Record<string, Record<Role, 'served' | 'signed out' | 'real account'>> = {
  public: { visitor: 'served', forged: 'served', demo: 'served', real: 'served' },
  user: { visitor: 'signed out', forged: 'signed out', demo: 'served', real: 'served' },
  real: { visitor: 'signed out', forged: 'signed out', demo: 'real account', real: 'served' },
};

describe.each(endpoints)('%s', (name, endpoint) => {
  it.each(Object.keys(tokens) as Role[])('to a %s', async (role) => {
    const authorization = await tokens[role]();
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const { status, code, msg, data } = await ask(server, endpoint, validParams(endpoint), headers);
    expect(status).toBe(200);
    const answer =
      code === SIGNED_OUT ? 'signed out' : msg === REAL_ACCOUNT ? 'real account' : 'served';
    expect(answer).toBe(EXPECTED[endpoint.access]?.[role]);
    if (answer !== 'served') expect(data).toBeNull();
    // Only demo accounts can be reset.
    if (name === 'resetDemo' && role === 'real') expect(code).not.toBe(1);
  });
});
