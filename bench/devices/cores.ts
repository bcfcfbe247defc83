// The app's page /bench on shares of one core: npm run bench -- --only device [--rounds N] [--out FOLDER]
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { randomFrom } from '#domain/workload/draws';
import { MAIN } from '#domain/workload/workload';
import { conditions } from '../lib/measure';
import { shuffled } from '../lib/statistics';
import { Browser } from '../render/harness/browser';
import { FeedProcess } from '../render/harness/feedProcess';
import { createQuota, type Quota } from '../render/harness/quota';
import { save } from '../render/harness/results';
import { builtSite } from '../render/harness/site';
import { deviceVerdict } from './print';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'bench/results/device.json' },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
  },
});

const CORES = [1, 0.5, 0.25];
const PHONE = { width: 360, height: 740, deviceScaleFactor: 1, mobile: true };
/** Longer than the plan takes with each patience of a weak device, s. */
const LONGEST = 300;
/** The page's own market is still while it plays the plan's. */
const WORKLOAD = { ...MAIN, n: 20, rate: 1, perMessage: 1 };

/** What the page has kept of its test; undefined: it is not over. */
const SAVED = `new Promise((resolve) => {
  const opening = indexedDB.open('fulcrum-bench');
  opening.onerror = () => resolve();
  opening.onsuccess = () => {
    const { result: database } = opening;
    const kept = database.objectStoreNames.contains('runs')
      && database.transaction('runs').objectStore('runs').get('kept');
    database.close();
    if (kept) kept.onsuccess = () => resolve(kept.result?.results);
    else resolve();
  };
})`;

/** The results of the page on this share of a core. */
async function play(
  quota: Quota,
  core: number,
  about: DeviceResults['about'],
): Promise<DeviceResults> {
  const feed = await FeedProcess.start({ workload: WORKLOAD, seconds: LONGEST, ...builtSite() });
  const executable = process.env['CHROME_PATH'] || '/usr/bin/chromium';
  quota.set(1);
  const browser = await Browser.launch(executable, quota);
  try {
    const { page } = browser;
    about['browser'] = await browser.version();
    const origin = `http://127.0.0.1:${feed.port}`;
    await page.send('Network.setCookie', { name: 'language', value: 'en', url: origin });
    await page.send('Emulation.setDeviceMetricsOverride', PHONE);
    await page.send('Page.navigate', { url: `${origin}/#/bench` });
    const button = (name: string) =>
      `[...document.querySelectorAll('button')].find((one) => one.textContent === '${name}')`;
    const has = (name: string) => page.evaluate<boolean>(`Boolean(${button(name)})`);
    while (!(await has('Start'))) await pause(100);
    quota.set(core);
    await page.evaluate(`void ${button('Start')}.click()`);
    const deadline = Date.now() + LONGEST * 1000;
    while (Date.now() < deadline) {
      // Asking is work of the page. Before the test is over nobody else may make the database.
      await pause(2000);
      if (!(await has('Export'))) continue;
      quota.set(1);
      const results = await page.evaluate<DeviceResults | undefined>(SAVED);
      if (results) return results;
    }
    throw new Error(`The page has not ended its test on ${core} of a core.`);
  } finally {
    quota.set(1);
    await browser.close();
    await feed.end();
  }
}

const quota = createQuota();
if (!quota) {
  console.error('No CPU quota: it needs root on Linux.');
  process.exit(1);
}
const about: DeviceResults['about'] = {
  ...conditions(),
  // What others did on this machine when it began.
  load: loadavg()[0] ?? 0,
};
const results: DeviceResults = { about, bytes: {}, runs: [] };
const random = randomFrom(Date.now());
try {
  for (let round = 0; round < (values.quick ? 1 : Number(values.rounds)); round++) {
    for (const core of shuffled(CORES, random)) {
      const { runs } = await play(quota, core, about);
      const found = runs.map(({ workload, ...run }) => ({
        ...run,
        section: `${core} of a core`,
        workload: { ...workload, core },
        round,
      }));
      console.log(`${round + 1}, ${core} of a core: ${deviceVerdict(found)}`);
      results.runs.push(...found);
      save(values.out, results);
    }
  }
} finally {
  quota.remove();
}
