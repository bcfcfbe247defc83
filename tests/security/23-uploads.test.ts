import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notItsTurn, SUITES } from '../helpers/samples';
import { send } from '../server/http/testHttp';
import { onEachDatabaseUnless } from '../server/support/database';
import { PATIENT } from '../server/support/patient';
import { as, from, TestServer } from '../server/support/testServer';
import { drawing, formOf, jpeg, upload } from '../server/uploads/pictures';

const UNSUPPORTED = 'Only JPEG, PNG and WebP pictures can be used';
const BROKEN = 'The picture is damaged';

/** A black and white PNG whose header claims this size, with as many lines of data. */
function bomb(width: number, height: number, lines = 1): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * lines));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

onEachDatabaseUnless(notItsTurn('uploads under attack', SUITES), (database) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
    ({ token } = await server.realUser());
    // The directory is made with the first one.
    await put(await jpeg());
  });
  afterAll(() => server.close());

  const put = (bytes: Buffer, options?: Parameters<typeof formOf>[1]) =>
    upload(server.url, token, formOf(bytes, options));
  const open = async (url: string, headers = {}) => {
    const response = await fetch(url, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const files = () => readdirSync(join(server.directory, 'uploads'));

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>';
  it.each([
    ['nothing', async () => Buffer.alloc(0), UNSUPPORTED],
    ['a few bytes', async () => Buffer.from([0xff, 0xd8, 0xff]), UNSUPPORTED],
    ['text', async () => Buffer.from('this is not a picture at all'), UNSUPPORTED],
    ['HTML', async () => Buffer.from('<!doctype html><script>alert(1)</script>'), UNSUPPORTED],
    ['SVG', async () => Buffer.from(svg), UNSUPPORTED],
    [
      'SVG after a byte order mark',
      async () => Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`),
      UNSUPPORTED,
    ],
    ['GIF', () => drawing().gif().toBuffer(), UNSUPPORTED],
    ['TIFF', () => drawing().tiff().toBuffer(), UNSUPPORTED],
    ['AVIF', () => drawing(64, 64).avif().toBuffer(), UNSUPPORTED],
    ['PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'), UNSUPPORTED],
    [
      'a WAV, which is RIFF too',
      async () => Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'),
      UNSUPPORTED,
    ],
    [
      'SVG behind the first bytes of a JPEG',
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(svg)]),
      BROKEN,
    ],
    [
      'SVG behind the signature of a PNG',
      async () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(svg)]),
      BROKEN,
    ],
    ['a WebP without pictures', async () => Buffer.from('RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0'), BROKEN],
    ['half a JPEG', async () => (await jpeg()).subarray(0, 3000), BROKEN],
    ['half a PNG', async () => (await drawing().png().toBuffer()).subarray(0, 2000), BROKEN],
    ['half a WebP', async () => (await drawing().webp().toBuffer()).subarray(0, 1000), BROKEN],
    ['four gigapixels', async () => bomb(65_535, 65_535), /too many pixels/],
    ['a line of a billion pixels', async () => bomb(1_000_000_000, 1), /too many pixels|damaged/],
    [
      'sixty-four megapixels in a few kilobytes',
      async () => bomb(8_000, 8_000, 8_000),
      /too many pixels/,
    ],
    ['a picture that is not all there', async () => bomb(5_000, 5_000), BROKEN],
  ] as [string, () => Promise<Buffer>, string | RegExp][])('are not %s', async (_, make, msg) => {
    const before = files().length;
    const refused = await put(await make());
    expect(refused).toMatchObject({ status: 200, code: 2, data: null });
    expect(refused.msg).toMatch(msg);
    expect(files()).toHaveLength(before);
  });

  it('lose data hidden in or behind the picture', async () => {
    const picture = await drawing().png().toBuffer();
    const hidden = Buffer.from('<script>alert(1)</script>PK\x03\x04');
    const comment = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, hidden.length + 2]),
      hidden,
    ]);
    for (const bytes of [
      Buffer.concat([picture, hidden]),
      Buffer.concat([await jpeg(), hidden]),
      Buffer.concat([comment, (await jpeg()).subarray(2)]),
    ]) {
      const { code, data } = await put(bytes);
      expect(code).toBe(1);
      const { bytes: kept } = await open(data.url);
      expect(kept.includes('<script>')).toBe(false);
      expect(kept.includes('PK\x03\x04')).toBe(false);
    }
  });

  it('have at most 8 MiB', async () => {
    const padded = Buffer.concat([await jpeg(), Buffer.alloc(8 * 1024 * 1024)]);
    const most = 8 * 1024 * 1024;
    expect((await put(padded.subarray(0, most))).code).toBe(1);
    for (const size of [most + 1, padded.length]) {
      expect(await put(padded.subarray(0, size))).toMatchObject({ status: 413, code: 413 });
    }
  });

  it('need a login, before anything is read', async () => {
    const refused = await upload(server.url, 'nobody', formOf(await jpeg()));
    expect(refused).toMatchObject({ status: 200, code: 999 });
  });

  describe('that are slow', () => {
    /** Begins uploads and sends no end. */
    function begin(count: number, owner = token, more: string[] = []): Socket[] {
      const { hostname, port } = new URL(server.url);
      const head = [
        'POST /api/common/image_upload HTTP/1.1',
        `Host: ${hostname}`,
        `Authorization: ${owner}`,
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 1000000',
        ...more,
        '',
        '--x\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n',
      ].join('\r\n');
      return Array.from({ length: count }, () => {
        const socket = connect(Number(port), hostname);
        socket.write(head);
        return socket;
      });
    }
    const answerOf = (socket: Socket) =>
      new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.once('close', () => resolve(text));
      });
    const small = () => drawing(32, 32).png().toBuffer();
    const statusOf = async (owner: string, headers = {}) =>
      (await upload(server.url, owner, formOf(await small()), headers)).status;

    /**
     * Begins an upload of each owner that continues until its socket is destroyed. Returns once an upload
     * of `probe` is refused. A probe may take the place of a slow upload, which then begins again.
     */
    async function takePlaces(
      owners: readonly string[],
      probe: string,
      headers: Record<string, string> = {},
    ): Promise<Socket[]> {
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const slow = owners.flatMap((owner) => begin(1, owner, more));
      const status = () => {
        for (const [index, owner] of owners.entries()) {
          const refused = slow[index];
          if (!refused?.bytesRead) continue;
          refused.destroy();
          slow.splice(index, 1, ...begin(1, owner, more));
        }
        return statusOf(probe, headers);
      };
      await expect.poll(status, PATIENT).toBe(429);
      return slow;
    }

    it('occupy the two uploads of a user, not those of others', async () => {
      const { token: other } = await server.realUser();
      const slow = await takePlaces([token, token], token);
      expect(await statusOf(other)).toBe(200);
      for (const socket of slow) socket.destroy();
      await expect.poll(() => statusOf(token), PATIENT).toBe(200);
    });

    it('wait in a queue if there are too many', async () => {
      const users = await Promise.all(Array.from({ length: 20 }, () => server.demoUser()));
      const { token: own } = await server.realUser();
      const owners = users.flatMap((user) => [user.token, user.token]);
      const slow = await takePlaces(owners, own);
      for (const socket of slow) socket.destroy();
      await expect.poll(() => statusOf(own), PATIENT).toBe(200);
    });

    it('of many users of one network leave places for others', async () => {
      const users = await Promise.all(Array.from({ length: 5 }, () => server.demoUser()));
      const near = users.map((user) => user.token);
      const last = near.pop() ?? '';
      const slow = await takePlaces([...near, ...near], last, from('203.0.113.7'));
      expect(await statusOf(last, from('203.0.113.8'))).toBe(200);
      for (const socket of slow) socket.destroy();
      await expect.poll(() => statusOf(last, from('203.0.113.7')), PATIENT).toBe(200);
    });

    it('are cut after 30 s, and others may start', async () => {
      const { token: own } = await server.realUser();
      const cut = (await takePlaces([own, own], own)).map(answerOf);
      server.clock.pass(29_999);
      expect(await statusOf(own)).toBe(429);
      server.clock.pass(1);
      for (const answer of await Promise.all(cut)) expect(answer).toMatch(/^HTTP\/1.1 408 /);
      await expect.poll(() => statusOf(own), PATIENT).toBe(200);
    });

    it('and compressed are refused immediately', async () => {
      const packed = begin(40, token, ['Content-Encoding: gzip']);
      const answers = await Promise.all(
        packed.map(async (socket) => {
          const [chunk] = await once(socket, 'data');
          socket.destroy();
          return String(chunk).split('\r\n')[0];
        }),
      );
      expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 415 Unsupported Media Type']));
      expect(await statusOf(token)).toBe(200);
    });
  });

  describe('after the upload', () => {
    it('are open for five minutes by their address, then to the owner only', async () => {
      const { data } = await put(await jpeg());
      const path = data.url.split('?')[0];
      const stranger = (await server.realUser()).token;
      server.clock.pass(5 * 60_000 - 1);
      expect((await open(data.url)).response.status).toBe(200);
      server.clock.pass(1);
      expect((await open(data.url)).response.status).toBe(404);
      expect((await open(data.url, as(token))).response.status).toBe(200);
      expect((await open(path, as(token))).response.status).toBe(200);
      expect((await open(path, as(stranger))).response.status).toBe(404);
      expect((await open(path)).response.status).toBe(404);
    });

    it('are not served at an address that was changed', async () => {
      const { data } = await put(await jpeg());
      const other = (await put(await jpeg())).data.url;
      const url = new URL(data.url);
      const [expires = '', signature = ''] = ['expires', 'signature'].map(
        (name) => url.searchParams.get(name) ?? '',
      );
      for (const query of [
        `expires=${Number(expires) + 1}&signature=${signature}`,
        `expires=${expires}&signature=${signature.slice(1)}`,
        `expires=${expires}&signature=${signature}x`,
        `expires=${expires}`,
        `signature=${signature}`,
        `expires=${expires}&expires=${expires}&signature=${signature}`,
        `expires=${expires}&signature=${'é'.repeat(43)}`,
        new URL(other).search.slice(1),
      ]) {
        expect((await open(`${server.url}${url.pathname}?${query}`)).response.status).toBe(404);
      }
    });

    it('are files that only the server can read, outside the served folders', async () => {
      await put(await jpeg());
      const [file = ''] = files();
      expect(statSync(join(server.directory, 'uploads')).mode & 0o777).toBe(0o700);
      expect(statSync(join(server.directory, 'uploads', file)).mode & 0o777).toBe(0o600);
      for (const path of [
        `/uploads/${file}`,
        `/data/uploads/${file}`,
        `/api/common/image/${file}`,
        '/api/common/image/..%2fsecret',
        '/api/common/image/../../../secret',
      ]) {
        expect((await send(server.url + path, { headers: as(token) })).status).toBe(404);
      }
    });
  });
});
