import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '../render/harness/browser';
import { createQuota } from '../render/harness/quota';
import { load } from '../render/harness/results';

const LONGEST_MS = 150_000;

/** Two Chromiums as two devices at the same time, one with half a core; true where both finish with every gate passed. */
export async function smoke(url: string, files: readonly string[]): Promise<boolean> {
  const executable = process.env['CHROME_PATH'] || '/usr/bin/chromium';
  const quota = createQuota();
  if (!quota) console.log('No CPU quota: it needs root on Linux. The weak device is left out.');
  quota?.set(0.5);
  const devices = [
    { label: 'whole core', quota: undefined },
    ...(quota ? [{ label: 'half a core', quota }] : []),
  ];
  const browsers = await Promise.all(
    devices.map((device) => Browser.launch(executable, device.quota)),
  );
  try {
    await Promise.all(
      browsers.map(async ({ page }, index) => {
        await page.send('Emulation.setDeviceMetricsOverride', {
          width: 360,
          height: 740,
          deviceScaleFactor: 1,
          mobile: true,
        });
        const label = encodeURIComponent(devices[index]?.label ?? '');
        await page.send('Page.navigate', { url: `${url}?label=${label}` });
        const start = "document.readyState === 'complete' && document.getElementById('start')";
        while (!(await page.evaluate<boolean>(`Boolean(${start})`))) await pause(50);
        await page.evaluate("document.getElementById('start').click()");
      }),
    );
    const deadline = Date.now() + LONGEST_MS;
    while (files.length < devices.length && Date.now() < deadline) await pause(100);
  } finally {
    quota?.set(1);
    for (const browser of browsers) await browser.close();
    quota?.remove();
  }
  const runs = files.flatMap((file) => load(file)?.runs ?? []);
  return files.length === devices.length && runs.every(({ sample }) => sample !== undefined);
}
