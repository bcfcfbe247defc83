import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pictures } from '../../../server/db/schema';
import { eventually } from '../../helpers/eventually';
import { notItsTurn, SUITES } from '../../helpers/samples';
import { onEachDatabaseUnless } from '../support/database';
import { PATIENT } from '../support/patient';
import { as, PASSWORD, TestServer } from '../support/testServer';
import { drawing, formOf, jpeg, upload } from './pictures';

const HOUR = 3_600_000;

onEachDatabaseUnless(notItsTurn('uploads', SUITES), (database) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
    ({ token } = await server.realUser());
  });
  afterAll(() => server.close());

  const put = (bytes: Buffer, options?: Parameters<typeof formOf>[1]) =>
    upload(server.url, token, formOf(bytes, options));
  const open = async (url: string, headers = {}) => {
    const response = await fetch(url, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const files = () => readdirSync(join(server.directory, 'uploads'));

  const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';

  it('are accepted as JPEG, PNG and WebP under any name, and returned as JPEG', async () => {
    for (const [bytes, options] of [
      [await jpeg(), {}],
      [await drawing().png().toBuffer(), { name: 'photo.exe', type: 'application/octet-stream' }],
      [await drawing().webp().toBuffer(), { name: '../../etc/passwd', field: 'image' }],
      [await drawing().webp({ lossless: true }).toBuffer(), { type: 'text/html' }],
    ] as const) {
      const { code, data } = await put(bytes, options);
      expect(code).toBe(1);
      expect(data.url).toMatch(
        new RegExp(`^${server.url}/api/common/image/[\\w-]{22}\\?expires=\\d+&signature=[\\w-]+$`),
      );
      const { response, bytes: picture } = await open(data.url);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toMatch(/^inline; filename=/);
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 640 });
      const { data: pixels, info } = await sharp(picture)
        .raw()
        .toBuffer({ resolveWithObject: true });
      // The red corner is in its place.
      const [red = 0, green = 255] = pixels.subarray((10 * info.width + 10) * info.channels);
      expect(red).toBeGreaterThan(180);
      expect(green).toBeLessThan(90);
    }
  });

  it('lose all metadata, and are rotated upright', async () => {
    const place = await drawing()
      .withExif({ IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect(place.includes('SECRET')).toBe(true);
    const { data } = await put(place);
    const { bytes } = await open(data.url);
    const metadata = await sharp(bytes).metadata();
    expect(metadata.exif ?? metadata.xmp ?? metadata.iptc).toBeUndefined();
    expect(bytes.includes('SECRET')).toBe(false);
    expect([metadata.width, metadata.height]).toEqual([400, 640]);
  });

  it('are scaled down to what a reviewer needs', async () => {
    const { data } = await put(await jpeg(4000, 1000));
    const { bytes } = await open(data.url);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 2560, height: 640 });
  });

  it('have the hash of their pixels, whatever else the file holds', async () => {
    const file = await drawing(64, 64).png().toBuffer();
    const sent = [file, Buffer.concat([file, Buffer.from('other')]), await jpeg(65, 64)];
    const hashes: (string | undefined)[] = [];
    for (const bytes of sent) {
      const id = idOf((await put(bytes)).data.url);
      const [row] = await database.db.select().from(pictures).where(eq(pictures.id, id));
      hashes.push(row?.hash);
    }
    expect(hashes[0]).toMatch(/^[\da-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it.each([
    ['no multipart', 'hello', { 'content-type': 'text/plain' }, 400],
    ['no boundary', 'hello', { 'content-type': 'multipart/form-data' }, 400],
    [
      'no end',
      '--x\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\nabc',
      { 'content-type': 'multipart/form-data; boundary=x' },
      400,
    ],
    [
      'no file',
      '--x\r\ncontent-disposition: form-data; name="f"\r\n\r\nabc\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      2,
    ],
  ])('are refused if the form is invalid: %s', async (_, body, headers, code) => {
    const refused = await upload(server.url, token, body, headers);
    expect(refused.status).toBe(200);
    expect(refused.code).toBe(code);
    expect(refused.data).toBeNull();
  });

  it('are fifty a day, for each user', async () => {
    const { token: own } = await server.realUser();
    const bytes = await drawing(32, 32).png().toBuffer();
    const replies = [];
    for (let i = 0; i < 55; i++) replies.push(await upload(server.url, own, formOf(bytes)));
    expect(replies.filter(({ code }) => code === 1)).toHaveLength(50);
    expect(replies.at(-1)).toMatchObject({ code: 2, msg: expect.stringMatching(/tomorrow/) });
    expect((await put(bytes)).code).toBe(1);
    server.clock.pass(24 * HOUR);
    expect((await upload(server.url, own, formOf(bytes))).code).toBe(1);
  });

  it('count towards the fifty where they are damaged', async () => {
    const { token: own } = await server.realUser();
    const bytes = await drawing(32, 32).png().toBuffer();
    const half = formOf(bytes.subarray(0, 60));
    for (let i = 0; i < 50; i++) await upload(server.url, own, half);
    const { code, msg } = await upload(server.url, own, formOf(bytes));
    expect([code, msg]).toEqual([2, expect.stringMatching(/tomorrow/)]);
  });

  it('are deleted a day later where nothing uses them, also if nobody sends another one', async () => {
    await put(await jpeg());
    server.clock.jump(24 * HOUR);
    server.clock.pass(HOUR);
    await expect.poll(() => database.db.$count(pictures), PATIENT).toBe(0);
    expect(files()).toEqual([]);
  });

  it('go with the account, and later where a file could not be removed', async () => {
    const { token: own, user } = await server.realUser();
    const { data } = await upload(server.url, own, formOf(await jpeg()));
    const file = join(server.directory, 'uploads', `${idOf(data.url)}.jpg`);
    // Like any file that can't be removed: a folder.
    rmSync(file);
    mkdirSync(file);
    const closed = await server.form('/api/user/close_account', { password: PASSWORD }, as(own));
    expect(closed.code).toBe(1);
    const rows = () => database.db.$count(pictures, eq(pictures.ownerId, user.id));
    expect(await rows()).toBe(1);
    rmSync(file, { recursive: true });
    writeFileSync(file, '');
    await eventually(async () => {
      server.clock.pass(HOUR);
      expect(await rows()).toBe(0);
    });
    expect(existsSync(file)).toBe(false);
  });

  it('are accepted from demo users', async () => {
    const { token: demo } = await server.demoUser();
    expect((await upload(server.url, demo, formOf(await jpeg()))).code).toBe(1);
  });
});
