// What each screen costs: npm run bench -- --only traffic [--quick] [--out FILE]
// The built server with its own market, so that quotes come in compact rows, and one phone's page: bytes of all that the server sends
// to it, and CPU of all threads of the browser. The page takes itself for hidden; the browser goes on drawing.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { conditions } from '../lib/measure';
import { simulated, underLoad } from '../load/server';
import { Browser } from '../render/harness/browser';
import { spent } from '../render/harness/threads';
import type { Cost, TrafficRow } from '../render/report/phone';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/results/traffic.json' },
  },
});

/** A tick a second of each instrument. */
const MARKET = simulated(40, 40);
const CODE = 'BTCUSD';
const SCREENS: readonly { name: string; path: string; positions: number }[] = [
  { name: 'list', path: '/', positions: 0 },
  { name: '`/trade`', path: `/trade?code=${CODE}`, positions: 0 },
  { name: 'news', path: '/news', positions: 0 },
  { name: 'list, a position', path: '/', positions: 1 },
  { name: '`/trade`, a position in another instrument', path: `/trade?code=${CODE}`, positions: 1 },
  { name: 'orders, a position', path: '/order', positions: 1 },
];
/** The version check of a page comes ten seconds after its start. */
const STARTED_MS = 11_000;
/** A hidden page subscribes less after three seconds. */
const HIDDEN_MS = 4000;
const MEASURED_MS = values.quick ? 3000 : 10_000;
/** The service worker has fetched what it keeps once nothing has come for so long. */
const QUIET_MS = 5000;
const QUIET_BYTES = 2000;

/** Passes connections on to the server, and counts what comes back. */
async function countBefore(port: number) {
  let bytes = 0;
  const proxy = createServer((phone) => {
    const server = connect(port, '127.0.0.1');
    server.on('data', (chunk) => {
      bytes += chunk.length;
    });
    pipeline(phone, server, phone, () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { origin, bytes: () => bytes, end: () => void proxy.close() };
}

/** Opens a demo account. Returns its token and how it makes calls. */
async function openDemo(origin: string) {
  let token = '';
  const ask = async <T>(path: string, params: Record<string, string> = {}): Promise<T> => {
    const headers = { lang: 'en', authorization: token, 'idempotency-key': randomUUID() };
    const answer = await fetch(`${origin}${path}?${new URLSearchParams(params)}`, { headers });
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T };
    if (code !== 1) throw new Error(`${path}: ${msg}`);
    return data;
  };
  const demo = { demo_id: randomUUID() };
  ({ token } = await ask<{ token: string }>('/api/user/createAccountDemoForU', demo));
  return { token, ask };
}

/** Logs a page of the origin in, as src/ and workers/core/storage.ts keep it. */
const logIn = (token: string) => `new Promise((resolve) => {
  const opening = indexedDB.open('fulcrum');
  opening.onupgradeneeded = () => opening.result.createObjectStore('worker');
  opening.onsuccess = () => {
    const writing = opening.result.transaction('worker', 'readwrite');
    writing.objectStore('worker').put(${JSON.stringify(token)}, 'token');
    writing.oncomplete = () => { opening.result.close(); resolve(); };
  };
})`;

const hide = (hidden: boolean) => `
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
  document.dispatchEvent(new Event('visibilitychange'));
`;

const rows: TrafficRow[] = [];
let version = '';
await underLoad(
  { program: join(process.cwd(), 'dist/server/main.js'), databaseUrl: undefined, market: MARKET },
  async ({ port }) => {
    const counted = await countBefore(port);
    const { token, ask } = await openDemo(counted.origin);
    const browser = await Browser.launch(process.env['CHROME_PATH'] ?? '', undefined);
    const { page } = browser;
    version = await browser.version();
    await page.send('Network.setCookie', { name: 'language', value: 'en', url: counted.origin });
    await page.send('Emulation.setDeviceMetricsOverride', {
      ...{ width: 360, height: 740, deviceScaleFactor: 2, mobile: true },
    });
    await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });

    /** Opens an address in a new page: another place of the same one keeps what the last screen watches. */
    async function open(path: string): Promise<void> {
      await page.send('Page.navigate', { url: 'about:blank' });
      await page.send('Page.navigate', { url: counted.origin + path });
    }

    async function cost(): Promise<Cost> {
      const renderer = await browser.pageProcess();
      const [bytes, threads] = [counted.bytes(), browser.threads()];
      const begun = performance.now();
      await pause(MEASURED_MS);
      const seconds = (performance.now() - begun) / 1000;
      const { whole } = spent(threads, browser.threads(), renderer);
      return {
        kilobytesPerMinute: ((counted.bytes() - bytes) / 1024 / seconds) * 60,
        cpuMsPerSecond: whole / seconds,
      };
    }

    await open('/manifest.json');
    await page.evaluate(logIn(token));
    await open('/#/');
    await pause(STARTED_MS);
    await page.evaluate(hide(true));
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
    for (let before = -QUIET_BYTES; counted.bytes() - before >= QUIET_BYTES; ) {
      before = counted.bytes();
      await pause(QUIET_MS);
    }

    let placed = 0;
    for (const { name, path, positions } of SCREENS) {
      for (; placed < positions; placed++) {
        const list = await ask<{ Id: number; Code: string }[]>('/v1/api/forex/trade_list');
        const id = list.find(({ Code }) => Code === 'ETHUSD')?.Id;
        const order = { type: '1', forex_id: `${id}`, cont: '0.01', status: '1', multiple: '10' };
        await ask('/v1/api/forex/submit', order);
      }
      for (const saver of [false, true]) {
        const setting = JSON.stringify(saver ? 'on' : 'off');
        await page.evaluate(`localStorage.setItem('fulcrum.data-saver', '${setting}')`);
        await open(`/#${path}`);
        await pause(STARTED_MS);
        const visible = await cost();
        await page.evaluate(hide(true));
        await pause(HIDDEN_MS);
        rows.push({ screen: name, saver, visible, hidden: await cost() });
        console.log(rows.at(-1));
      }
    }
    await browser.close();
    counted.end();
    return {};
  },
);

const about = { ...conditions(), browser: version };
writeFileSync(values.out, `${JSON.stringify({ about, rows }, undefined, 1)}\n`);
