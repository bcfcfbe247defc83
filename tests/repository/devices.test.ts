import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const { createDeviceServer } = await import('../../bench/devices/server' as string);
const { load } = await import('../../bench/render/harness/results' as string);
const { REFERENCE_FILE, referenceOf } = await import('../../bench/devices/reference' as string);
const { playStage } = await import('../../bench/devices/visit' as string);
const { deviceVerdict } = await import('../../bench/devices/print' as string);

const DEVICE = { label: 'A phone', cores: 8, memory: null, width: 360, height: 740, ratio: 3 };
const REPORT = {
  seconds: 8,
  rows: 10,
  firstQuote: 400,
  intervals: [16, 17, 33],
  longFrames: null,
  events: null,
  inputDelays: [],
  seen: [],
  clock: { offset: 0, error: 1 },
};
const FAILED = JSON.stringify({ failure: 'rows' });

let folder: string;
let out: string;
let server: ReturnType<typeof createDeviceServer>;
let origin: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'devices-'));
  out = join(folder, 'results/devices');
  mkdirSync(join(folder, 'client'));
  writeFileSync(join(folder, 'client/index.html'), '<html><head></head></html>');
  writeFileSync(join(folder, 'secret.json'), '{}');
  server = createDeviceServer({
    folders: { '': join(folder, 'client') },
    pages: {},
    out,
    warmUp: 0,
    window: 0,
    done: () => {},
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function post(call: string, body: string, cookie = '', type = 'application/json') {
  const headers = { 'content-type': type, cookie };
  return fetch(`${origin}/devices/${call}`, { method: 'POST', headers, body });
}

async function visit(device: object = DEVICE, agent = 'Test'): Promise<string> {
  const answer = await fetch(`${origin}/devices/visit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify(device),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const next = (cookie: string) =>
  fetch(`${origin}/devices/next`, { headers: { cookie }, redirect: 'manual' });

/** Plays all contenders, each with the same report; returns how many. */
async function play(cookie: string, report = FAILED): Promise<number> {
  for (let played = 0; ; played++) {
    if ((await next(cookie)).headers.get('location') === '/devices') return played;
    expect((await post('report', report, cookie)).status).toBe(200);
  }
}

it('writes one file a visit, under a name of its own making, and escapes what a terminal obeys', async () => {
  const cookie = await visit({ ...DEVICE, label: '../../../etc/Pass wd\u0000' }, 'A\u00e9\u009bB');
  expect(await play(cookie)).toBe(14);
  const files = readdirSync(out);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^\d{14}-etc-pass-wd-[0-9a-f]{8}\.json$/);
  const { about, runs } = load(join(out, files[0] ?? ''));
  expect(about.browser).toMatch(/^[\x20-\x7e]+$/);
  expect(runs).toHaveLength(14);
  expect(readdirSync(folder).sort()).toEqual(['client', 'results', 'secret.json']);
});

it('refuses what is not a result, and what is not asked for', async () => {
  const cookie = await visit();
  await next(cookie);
  const wrong = [
    '{"failure":"rows"',
    '{"failure":"\\u001b[2J"}',
    JSON.stringify({ ...REPORT, file: '../../secret.json' }),
    JSON.stringify(REPORT).replace('400', 'NaN'),
    JSON.stringify(REPORT).replace('400', '1e999'),
    JSON.stringify(REPORT).replace('400', '-1'),
    JSON.stringify({ ...REPORT, intervals: Array.from({ length: 20_001 }, () => 1) }),
    JSON.stringify({ ...REPORT, seen: [{ at: 1, name: 'x'.repeat(41), price: '1' }] }),
  ];
  for (const body of wrong) expect((await post('report', body, cookie)).status).toBe(400);
  expect((await post('report', `"${'x'.repeat(2_000_001)}"`, cookie)).status).toBe(413);
  expect((await post('report', FAILED, cookie, 'text/plain')).status).toBe(415);
  expect((await post('report', FAILED)).status).toBe(409);
  expect((await post('report', FAILED, 'fulcrum-visit=guess')).status).toBe(409);
  expect((await post('report', FAILED, cookie)).status).toBe(200);
  // One report for each page.
  expect((await post('report', FAILED, cookie)).status).toBe(409);
  expect(readdirSync(out)).toEqual([]);
});

it('counts no figures of a page that has not passed the gate', async () => {
  const cookie = await visit();
  await next(cookie);
  await post('gate', JSON.stringify({ rows: [{ name: 'x', price: '1', change: '0' }] }), cookie);
  await post('report', JSON.stringify(REPORT), cookie);
  await play(cookie);
  const { runs } = load(join(out, readdirSync(out)[0] ?? ''));
  expect(runs[0]?.failure).toBe('gate');
});

it('notes a refused report as a failure, and goes on to the next step', async () => {
  const cookie = await visit();
  await next(cookie);
  const real = fetch;
  const closes = [1, 2];
  vi.stubGlobal('document', {
    readyState: 'complete',
    addEventListener() {},
    querySelector: () => null,
  });
  vi.stubGlobal('localStorage', { setItem() {} });
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { replace() {} });
  vi.stubGlobal('nextClose', () => closes.shift() ?? 2);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    path === '/devices/gate'
      ? Promise.resolve(Response.json({ right: true }))
      : real(origin + path, { ...init, headers: { ...init.headers, cookie } }),
  );
  try {
    const screen = { open: 'true', price: 'p', close: 'nextClose()' };
    const observe = () => ({ ...REPORT, inputDelays: [-0.3], seen: [] });
    await playStage({ screen, patience: 1000 }, { observe });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(await play(cookie)).toBe(13);
  const { runs } = load(join(out, readdirSync(out)[0] ?? ''));
  expect(runs[0]?.failure).toBe('refused');
});

it('serves nothing outside its folders and keeps running after nonsense', async () => {
  for (const path of [
    '/../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/constructor/x',
    '//',
  ]) {
    const { status } = await fetch(origin + path, { redirect: 'manual' });
    expect(status, path).toBeGreaterThanOrEqual(300);
  }
  expect((await fetch(`${origin}/devices`)).status).toBe(200);
  expect(existsSync(out)).toBe(false);
});

it('limits the devices at once and the files', async () => {
  for (let i = 0; i < 16; i++) await visit();
  expect((await post('visit', JSON.stringify(DEVICE))).status).toBe(429);
});

it('limits the files', async () => {
  mkdirSync(out, { recursive: true });
  for (let i = 0; i < 500; i++) writeFileSync(join(out, `${i}.json`), '');
  expect((await post('visit', JSON.stringify(DEVICE))).status).toBe(429);
});

it('writes what the command line reads, with a verdict', async () => {
  const cookie = await visit();
  await play(cookie);
  const results = load(join(out, readdirSync(out)[0] ?? ''));
  expect(results.about.cores).toBe(8);
  const verdict = 'This device holds 50 ms at none of the rates.';
  expect(deviceVerdict(results.runs)).toBe(verdict);
  const answer = await fetch(`${origin}/devices/result`, { headers: { cookie } });
  expect(await answer.json()).toEqual({ verdict });
});

it('has beside a device on /bench what the committed samples say', () => {
  const measured = referenceOf(load('bench/results/device.json'));
  expect(JSON.parse(readFileSync(REFERENCE_FILE, 'utf8'))).toEqual(JSON.parse(measured));
});
