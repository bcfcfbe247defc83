import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPublic, type Network } from '../../../server/http/publicNetwork';
import { fetchPicture } from '../../../server/news/pictureFetch';

describe('the public internet', () => {
  it.each(['1.1.1.1', '8.8.8.8', '193.0.6.139', '2606:4700::1111', '2a00:1450:4001::1'])(
    'has %s',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...[
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      'ff02::1',
    ],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', '', 'localhost', '127.1'],
  ])('has no %j', (address) => expect(isPublic(address)).toBe(false));
});

let server: Server;
let port: number;
let asked: string[];
let answer: RequestListener;
/** Addresses of each name, by the number of times that it was looked up. */
let names: Record<string, string[][]>;
let looked: string[];

beforeEach(async () => {
  asked = [];
  looked = [];
  answer = (_request, response) => response.end('picture');
  names = { 'cdn.example': [['127.0.0.1']] };
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Where only 127.0.0.1 is public: the test's own server. */
const network: Network = {
  plain: true,
  isPublic: (address) => address === '127.0.0.1',
  lookup: ((name: string, _options: object, done: (...args: unknown[]) => void) => {
    const known = names[name] ?? [];
    const times = looked.filter((other) => other === name).length;
    looked.push(name);
    const found = known[Math.min(times, known.length - 1)] ?? [];
    if (found.length === 0) return done(new Error('ENOTFOUND'));
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  }) as LookupFunction,
};
const fetched = (path = '/a.png', host = 'cdn.example') =>
  fetchPicture(`https://${host}:${port}${path}`, network);
const redirect =
  (to: string): RequestListener =>
  (request, response) => {
    if (request.url === '/a.png') response.writeHead(302, { location: to }).end();
    else response.end('picture');
  };

describe('a picture of an article', () => {
  it('is fetched by its name', async () => {
    expect(String(await fetched())).toBe('picture');
    expect(asked).toEqual([`cdn.example:${port}/a.png`]);
  });

  it.each([
    'http://cdn.example/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'ftp://cdn.example/a.png',
    '/a.png',
    'https://user:secret@cdn.example/a.png',
    '',
  ])('is not fetched from %j', async (address) => {
    await expect(async () => fetchPicture(address, network)).rejects.toThrow(
      /https|address|password/,
    );
    expect(looked).toEqual([]);
  });

  it.each([
    '127.0.0.2',
    '10.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0x7f.2',
    '2130706434',
    '127.2',
  ])('is not fetched from the address %s', async (host) => {
    await expect(fetched('/a.png', host)).rejects.toThrow('is not public');
    expect(asked).toEqual([]);
  });

  it('is not fetched where one address of a name is private', async () => {
    names['cdn.example'] = [['127.0.0.1', '10.0.0.1']];
    await expect(fetched()).rejects.toThrow('cdn.example is not public');
    expect(asked).toEqual([]);
  });

  it('is fetched from the address that was checked, also if the name resolves to another one meanwhile', async () => {
    names['cdn.example'] = [['127.0.0.1'], ['10.0.0.1']];
    expect(String(await fetched())).toBe('picture');
    expect(looked).toEqual(['cdn.example']);
  });

  it('is fetched after redirects, each checked again', async () => {
    names['other.example'] = [['127.0.0.1']];
    names['inside.example'] = [['10.0.0.1']];
    answer = redirect(`https://other.example:${port}/b.png`);
    expect(String(await fetched())).toBe('picture');
    expect(asked.at(-1)).toBe(`other.example:${port}/b.png`);
    for (const [to, reason] of [
      [`https://inside.example:${port}/b.png`, 'is not public'],
      [`https://10.0.0.1:${port}/b.png`, 'is not public'],
      [`http://other.example:${port}/b.png`, 'is not https'],
      ['https://', 'leads nowhere'],
    ] as const) {
      asked = [];
      answer = redirect(to);
      await expect(fetched()).rejects.toThrow(reason);
      expect(asked).toHaveLength(1);
    }
    answer = redirect('/a.png');
    await expect(fetched()).rejects.toThrow('redirected more than 3 times');
  });

  it('has at most 8 MiB, whatever its header says', async () => {
    const size = 8 * 1024 * 1024;
    answer = (_request, response) => response.end(Buffer.alloc(size));
    expect(await fetched()).toHaveLength(size);
    answer = (_request, response) => {
      for (let sent = 0; sent <= size; sent += 65_536) response.write(Buffer.alloc(65_536));
      response.end();
    };
    await expect(fetched()).rejects.toThrow('larger than 8 MiB');
  });

  it('is refused with the reason when it cannot be fetched', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    await expect(fetched()).rejects.toThrow('answers 404');
    answer = (_request, response) => response.destroy();
    await expect(fetched()).rejects.toThrow('cdn.example');
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x');
      setImmediate(() => response.destroy());
    };
    await expect(fetched()).rejects.toThrow('cdn.example');
    await expect(fetched('/a.png', 'nowhere.example')).rejects.toThrow('ENOTFOUND');
  });
});
