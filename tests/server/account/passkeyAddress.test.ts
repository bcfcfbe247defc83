import { afterEach, expect, it } from 'vitest';
import { SoftAuthenticator } from '../../helpers/softAuthenticator';
import { emptyDatabase } from '../support/database';
import { as, PASSWORD, TestServer } from '../support/testServer';

let close = async () => {};
afterEach(() => close());

async function open(...args: string[]): Promise<TestServer> {
  const database = await emptyDatabase();
  const server = await TestServer.open(database.db, { args });
  close = async () => {
    await server.close();
    await database.close();
  };
  return server;
}

const isListed = async (server: TestServer, headers: Record<string, string>) =>
  (await server.get('/api/basicSet/getBasicInfo', headers)).data.features.includes('passkeys');

it.each<[what: string, args: string[], headers: Record<string, string>, listed: boolean]>([
  ['of the public page', ['--public-url', 'https://m.example.com'], {}, true],
  [
    'of the public page, by its origin',
    ['--public-url', 'https://m.example.com'],
    { origin: 'https://m.example.com' },
    true,
  ],
  [
    'of a configured page above the public one',
    ['--public-url', 'https://m.example.com', '--origins', 'https://example.com'],
    { origin: 'https://example.com' },
    false,
  ],
  [
    'of a configured page below the public one',
    ['--public-url', 'https://example.com', '--origins', 'https://m.example.com'],
    { origin: 'https://m.example.com' },
    true,
  ],
  [
    'of a configured page without TLS',
    ['--public-url', 'https://example.com', '--origins', 'http://m.example.com'],
    { origin: 'http://m.example.com' },
    false,
  ],
  [
    'of a host that only ends alike',
    ['--public-url', 'https://example.com', '--origins', 'https://notexample.com'],
    { origin: 'https://notexample.com' },
    false,
  ],
  ['at an address', ['--public-url', 'https://192.0.2.1'], {}, false],
  ['at an IPv6 address', ['--public-url', 'https://[2001:db8::1]'], {}, false],
  ['without TLS', ['--public-url', 'http://m.example.com'], {}, false],
  ['of localhost by default', [], { host: 'localhost:3000' }, true],
  ['of an address by default', [], {}, false],
  ['of another host by default', [], { host: 'evil.example.com' }, false],
  ['of localhost behind a proxy', [], { 'x-forwarded-host': 'localhost:5173' }, true],
])('a page %s is offered passkeys, or is not', async (_, args, headers, listed) => {
  const server = await open(...args);
  expect(await isListed(server, headers)).toBe(listed);
});

it('passkeys of localhost log in on its page at this port alone', async () => {
  const server = await open();
  const host = 'localhost:3000';
  const ask = (name: string, params: object, headers: Record<string, string> = {}) =>
    server.post(`/api/user/${name}`, params, { host, ...headers });
  const { token } = await server.realUser();
  const page = new SoftAuthenticator('http://localhost:3000');
  const { data: options } = await ask('passkey_options', { password: PASSWORD }, as(token));
  expect(options.rp.id).toBe('localhost');
  const response = page.create(options);
  expect((await ask('passkey_add', { response }, as(token))).code).toBe(1);
  const logIn = async (origin: string) => {
    const { data } = await ask('passkey_login_options', {});
    return (await ask('passkey_login', { response: page.get(data, { origin }) })).code;
  };
  expect(await logIn('http://localhost:3000')).toBe(1);
  expect(await logIn('http://localhost:4000')).toBe(2);
});

it.each(['passkey_options', 'passkey_add', 'passkey_login_options', 'passkey_login'])(
  '%s is refused at an address without passkeys',
  async (name) => {
    const server = await open();
    const { token } = await server.realUser();
    const authenticator = new SoftAuthenticator('https://192.0.2.1');
    const made = { challenge: 'AAAA', user: { id: 'AAAA' }, rpId: 'localhost' };
    const created = authenticator.create(made);
    const response = name === 'passkey_add' ? created : authenticator.get(made);
    const params = { password: PASSWORD, response };
    expect((await server.post(`/api/user/${name}`, params, as(token))).msg).toBe(
      'Passkeys can’t be used at this address',
    );
  },
);
