import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { SourceMaps } from '../../../server/clientErrors/sourceMaps';
import { clientErrors, releases } from '../../../server/db/schema';
import { root } from '../../repository/tree';
import { admin } from '../admin/adminCommand';
import { send } from '../http/testHttp';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { PATIENT } from '../support/patient';
import { TestServer } from '../support/testServer';

const RELEASE = '0123456789ab';
const FORMER = 'ba9876543210';
/** An older one. */
const OLDER = 'aaaaaaaaaaaa';
/** As old as the oldest of those that are kept, and older. */
const AGED = Array.from({ length: 18 }, (_, n) => `c${String(n).padStart(11, '0')}`);
const DAY = 86_400_000;
const START = toUnixMs(Date.UTC(2026, 0, 31, 8));

/** Column 1 of its first line is in line 1 of a source and has a name, column 11 is in line 5. */
const MAP = {
  version: 3,
  sources: ['../../../src/app/Shell.tsx'],
  names: ['useShell'],
  mappings: 'AAAAA,UAIE',
};

/** A built client, with the maps beside it. */
function builtClient(release: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-client-'));
  for (const name of ['client', 'maps']) mkdirSync(join(folder, name));
  const client = join(folder, 'client');
  copyFileSync(join(root, 'index.html'), join(client, 'index.html'));
  writeFileSync(join(client, 'manifest.json'), JSON.stringify({ version: release }));
  for (const name of ['app-AbCd_123.js', 'service-worker.js']) {
    writeFileSync(join(folder, 'maps', `${name}.map`), JSON.stringify(MAP));
  }
  writeFileSync(join(folder, 'secret.map'), JSON.stringify(MAP));
  writeFileSync(join(folder, 'maps', 'broken-1.js.map'), '{');
  return client;
}

const REPORT = {
  release: RELEASE,
  engine: 'firefox',
  screen: '/trade',
  name: 'TypeError',
  text: 'e is not a function',
  stack: 'app-AbCd_123.js:1:1 app-AbCd_123.js:1:30 page:3:4',
};

describe('places in our sources', async () => {
  const maps = await SourceMaps.open(join(builtClient(RELEASE), '../maps'));

  it.each([
    ['app-AbCd_123.js:1:1', 'src/app/Shell.tsx:1:1 useShell'],
    ['app-AbCd_123.js:1:30', 'src/app/Shell.tsx:5:3'],
    ['app-AbCd_123.js:9:1', 'app-AbCd_123.js:9:1'],
    ['app-AbCd_123.js:0:0', 'app-AbCd_123.js:0:0'],
    ['broken-1.js:1:1', 'broken-1.js:1:1'],
    ['../secret:1:1', '../secret:1:1'],
    ['unknown-1.js:1:1', 'unknown-1.js:1:1'],
    ['page:1:1', 'page:1:1'],
  ])('%s is %s', async (place, expected) => {
    expect(await maps.resolve(place)).toBe(expected);
  });

  it('are none where nothing was built', async () => {
    const none = await SourceMaps.open('/nonexistent');
    expect(await none.resolve('app-AbCd_123.js:1:1')).toBe('app-AbCd_123.js:1:1');
  });
});

onEachDatabase((database) => {
  let server: TestServer;
  let address: string;
  let clock: FakeClock;
  beforeAll(async () => {
    await database.db
      .insert(releases)
      .values([
        { release: FORMER, firstServedAt: new Date(START - DAY) },
        { release: OLDER, firstServedAt: new Date(START - 2 * DAY) },
        ...AGED.map((release, n) => ({ release, firstServedAt: new Date(START - (n + 3) * DAY) })),
      ]);
    clock = new FakeClock(START);
    server = await TestServer.open(database.db, {
      clock,
      args: ['--metrics-port', '0', '--errors-share', '0.5'],
      clientDirectory: builtClient(RELEASE),
    });
    const line = server.printed.find((text) => text.startsWith('Metrics: ')) ?? '';
    address = line.slice('Metrics: '.length);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await database.db.delete(clientErrors);
  });

  /** Sends a report as a beacon does. */
  const report = async (changed: Partial<typeof REPORT> = {}, from = '127.0.0.1') => {
    const { status, text } = await send(`${server.url}/api/common/client_error`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        'x-forwarded-for': from,
      },
      body: new URLSearchParams({ ...REPORT, ...changed }).toString(),
    });
    return { status, code: status === 200 ? JSON.parse(text).code : 0 };
  };
  /** Waits until that many rows, of that many reports, are written. A test ends with nothing left to write. */
  const written = async (rows: number, reports = rows) => {
    clock.pass(10_000);
    const stored = () => database.db.select().from(clientErrors);
    const sums = async () => {
      const all = await stored();
      return [all.length, all.reduce((sum, { count }) => sum + count, 0)];
    };
    await expect.poll(sums).toEqual([rows, reports]);
    return stored();
  };
  const metric = async (sample: string) => {
    const { text } = await send(address);
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length));
  };

  it('are counted by release and fingerprint, with the first report', async () => {
    expect(await report()).toEqual({ status: 200, code: 1 });
    clock.pass(1_000);
    // Lines move from release to release, and an engine has the columns of its own.
    await report({ stack: 'app-AbCd_123.js:1:2 app-AbCd_123.js:1:31 page:9:9', screen: '/' });
    await report({ release: FORMER });
    const rows = await written(2, 3);
    const [own] = rows.filter(({ release }) => release === RELEASE);
    expect(own).toMatchObject({
      count: 2,
      sample: {
        engine: 'firefox',
        screen: '/trade',
        message: 'TypeError: e is not a function',
        stack: ['src/app/Shell.tsx:1:1 useShell', 'src/app/Shell.tsx:5:3', 'page:3:4'],
      },
    });
    expect(Number(own?.lastAt) - Number(own?.firstAt)).toBe(1_000);
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    const labels = `release="${RELEASE}",fingerprint="${own?.fingerprint}"`;
    expect(await metric(`fulcrum_client_errors_total{${labels}}`)).toBe(2);
    await report();
    await written(2, 4);
    expect((await admin(server.directory, ['errors'])).out).toMatch(
      /3×.* {2}TypeError: e is not a function {2}src\/app\/Shell\.tsx:1:1 useShell\n.*1×/,
    );
    const { out } = await admin(server.directory, ['errors', own?.fingerprint ?? '']);
    expect(out).toMatch(/screen +\/trade\n[\s\S]*by 2 +page:3:4/);
  });

  it('are scrubbed here, too', async () => {
    await report({ text: 'not a decimal: 12.50 of "Ann"' });
    const [row] = await written(1);
    expect(row?.sample.message).toBe('TypeError: not a decimal …');
  });

  it("are found in a service worker's file of the own release only", async () => {
    await report({ stack: 'service-worker.js:1:1' });
    await report({ stack: 'service-worker.js:1:1', release: FORMER });
    const stacks = (await written(2)).map(({ sample }) => sample.stack[0]).sort();
    expect(stacks).toEqual(['service-worker.js:1:1', 'src/app/Shell.tsx:1:1 useShell']);
  });

  it('are only counted where the release is made up', async () => {
    const unknown = 'fulcrum_client_errors_total{release="unknown",fingerprint="other"}';
    await report({ release: 'ffffffffffff' });
    await report({ release: 'eeeeeeeeeeee' });
    expect(await metric(unknown)).toBe(2);
    await report();
    await written(1);
  });

  it('are only counted where the release is older than the twenty that are kept', async () => {
    await report({ release: AGED.at(-2) ?? '' });
    await written(1);
    await report({ release: AGED.at(-1) ?? '' });
    await report();
    const rows = await written(2);
    expect(rows.map(({ release }) => release).sort()).toEqual([RELEASE, AGED.at(-2)]);
  });

  it.each([
    ['release', 'x'],
    ['release', `${RELEASE}\n`],
    ['engine', 'other'],
    ['screen', '/news/12'],
    ['screen', '/a'.repeat(7)],
    ['name', 'Not a name'],
    ['text', 'x'.repeat(201)],
    ['stack', ''],
    ['stack', 'https://example.com/app.js:1:1'],
    ['stack', '../../secret.js:1:1'],
    ['stack', Array(21).fill('page:1:1').join(' ')],
  ])('are refused with the %s %j', async (name, value) => {
    expect((await report({ [name]: value })).code).toBe(400);
  });

  it('of one network are at most a hundred an hour', async () => {
    const answers = [];
    for (let n = 0; n < 101; n++) answers.push((await report({}, '203.0.113.7')).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(100);
    expect(answers.at(-1)).toBe(429);
    expect((await report({}, '203.0.113.8')).status).toBe(200);
    await written(1, 101);
    clock.pass(3_600_000);
    expect((await report({}, '203.0.113.7')).status).toBe(200);
    await written(1, 102);
  });

  it('are of a bounded number: those that many have stay', async () => {
    for (let n = 0; n < 3; n++) await report({ release: OLDER, name: 'OftenError' });
    const letters = (n: number) => String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26));
    for (let n = 0; n < 150; n++) await report({ release: OLDER, name: `Forged${letters(n)}` });
    const often = (rows: (typeof clientErrors.$inferSelect)[]) =>
      rows.find(({ sample }) => sample.message.startsWith('OftenError'))?.count;
    expect(often(await written(100, 102))).toBe(3);
    const { text } = await send(address);
    const own = new RegExp(`client_errors_total{release="${OLDER}"`, 'g');
    expect(text.match(own)?.length).toBeLessThanOrEqual(101);
    // Those of before are in the table: it stays bounded all the same.
    for (let n = 150; n < 250; n++) await report({ release: OLDER, name: `Forged${letters(n)}` });
    await report({ release: OLDER, name: 'OftenError' });
    expect(often(await written(100, 103))).toBe(4);
  });

  it('are forgotten after 90 days without a report', async () => {
    await report({ name: 'OldError' });
    await written(1);
    // No other one comes.
    clock.jump(91 * DAY);
    clock.pass(3_600_000);
    await expect.poll(() => database.db.$count(clientErrors), PATIENT).toBe(0);
  });

  it('tell which release is present, and how many pages it has served', async () => {
    expect(await metric(`fulcrum_release{release="${RELEASE}",place="present"}`)).toBe(1);
    expect(await metric(`fulcrum_release{release="${FORMER}",place="former"}`)).toBe(1);
    const { text } = await send(server.url);
    expect(text).toContain('<meta name="errors-share" content="0.5" />');
    await send(server.url, { method: 'HEAD' });
    expect(await metric(`fulcrum_pages_total{release="${RELEASE}"}`)).toBe(1);
  });
});
