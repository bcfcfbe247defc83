import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPositionFor, LEAST_UPPER_BOUND, TraceMap } from '@jridgewell/trace-mapping';
import { expect, type Page } from '@playwright/test';
import { engine } from './engines/engine';
import { languageCookie, PHONE, test } from './helpers/browser';
import { Network } from './helpers/network';
import { dist, inCluster, type Product } from './helpers/product';

test.use({ ...PHONE, serviceWorkers: 'allow' });
test.skip(inCluster, 'the fault is planted in front of one server');

/** What must not leave the device. */
const SECRET = 'planted 1234.50 "for Ann"';

/** A file of the build in which a call of our source throws. */
interface Fault {
  /** The beginning of the file's name. */
  file: string;
  source: string;
  call: string;
}

const FAULTS = {
  page: { file: 'AboutScreen-', source: 'src/features/about/AboutScreen.tsx', call: 'useT();' },
  worker: {
    file: 'client.worker-',
    source: 'workers/connection/heartbeat.ts',
    call: 'clock.after(PING_MS',
  },
  rejection: {
    file: 'next-client.worker-',
    source: 'workers/app/status.ts',
    call: 'callRead(http',
  },
  serviceWorker: {
    file: 'service-worker.js',
    source: 'workers/service.worker.ts',
    call: 'renewal.tell());',
  },
} satisfies Record<string, Fault>;

/** The path of the file, and its text with the fault at the place that its source map names. */
function planted({ file, source, call }: Fault): { path: string; body: string } {
  const name = readdirSync(join(dist, 'maps')).find((each) => each.startsWith(file)) ?? '';
  const map = new TraceMap(readFileSync(join(dist, 'maps', name), 'utf8'));
  const before = readFileSync(source, 'utf8').split(call)[0]?.split('\n') ?? [];
  const { line, column } = generatedPositionFor(map, {
    source: map.sources.find((each) => each?.endsWith(source)) ?? source,
    line: before.length,
    column: before.at(-1)?.length ?? 0,
    bias: LEAST_UPPER_BOUND,
  });
  if (line === null) throw new Error(`${source} has no ${call}`);
  const script = name.replace('.map', '');
  const path = script === 'service-worker.js' ? `/${script}` : `/assets/${script}`;
  const lines = readFileSync(join(dist, 'client', path), 'utf8').split('\n');
  const text = lines[line - 1] ?? '';
  const fault = `(()=>{throw new TypeError(${JSON.stringify(SECRET)})})()||`;
  lines[line - 1] = text.slice(0, column) + fault + text.slice(column);
  return { path, body: lines.join('\n') };
}

/** A product behind a network that serves a file with the fault; `reports` are the bodies that it has heard. */
async function productWith(fault: Fault, product: Product) {
  const network = await Network.before(product);
  const { path, body } = planted(fault);
  network.instead = (asked) => (asked === path ? { type: 'text/javascript', body } : undefined);
  const reports: URLSearchParams[] = [];
  network.hears = (asked, sent) => {
    if (asked === '/api/common/client_error') reports.push(new URLSearchParams(sent.toString()));
  };
  return { network, reports };
}

async function visit(page: Page, network: Network, path: string): Promise<void> {
  await page.context().addCookies([languageCookie('en', network.url)]);
  await page.goto(`${network.url}/#${path}`);
}

for (const [where, fault] of Object.entries(FAULTS)) {
  test(`an error of ours reaches the operator: ${where}`, async ({
    page,
    startProduct,
    problems,
  }) => {
    const product = await startProduct();
    const { network, reports } = await productWith(fault, product);
    await visit(page, network, where === 'page' ? '/about' : '/');
    if (where === 'serviceWorker') {
      // It is asked to keep files once it is there, and again when it serves the page.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    }
    // The service worker fetches all files first.
    await expect.poll(() => reports.length, { timeout: 120_000 }).toBeGreaterThan(0);
    const [sent] = reports;
    expect(sent?.get('engine')).toBe(engine);
    expect(sent?.get('screen')).toBe(where === 'page' ? '/about' : '/');
    expect(sent?.get('name')).toBe('TypeError');
    expect(sent?.get('text')).toBe('planted …');
    expect([...(sent?.keys() ?? [])].sort().join(' ')).toBe(
      'engine name release screen stack text',
    );
    // Written every ten seconds.
    await expect
      .poll(() => product.admin(['errors']), { timeout: 30_000 })
      .toMatch(new RegExp(`TypeError: planted …  .*${fault.source.replaceAll('.', '\\.')}:\\d+`));
    problems.length = 0;
    network.close();
  });
}

test('a user who does not want it sends no report', async ({ page, startProduct, problems }) => {
  const { network, reports } = await productWith(FAULTS.page, await startProduct());
  await visit(page, network, '/');
  await page.getByRole('button', { name: 'Appearance' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Appearance' });
  await sheet.getByText('Don’t send').tap();
  const loaded = page.waitForResponse(/\/errorReport-/);
  await page.goto(`${network.url}/#/about`);
  await expect(page.getByText('This screen could not be shown')).toBeVisible();
  // It has run once it can be imported.
  const program = (await loaded).url();
  await page.evaluate((address) => import(address).then(() => {}), program);
  expect(reports).toEqual([]);
  await page.evaluate(() => localStorage.setItem('fulcrum.error-reports', 'true'));
  await page.reload();
  await expect.poll(() => reports.length).toBe(1);
  problems.length = 0;
  network.close();
});
