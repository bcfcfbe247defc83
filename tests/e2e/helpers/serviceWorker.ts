import { expect, type Page, type Worker } from '@playwright/test';
import { chromiumOnly } from '../engines/engine';

/** The service worker of the page's context; waits for one. */
export async function serviceWorkerOf(page: Page): Promise<Worker> {
  chromiumOnly('it looks into the service worker');
  const context = page.context();
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  return worker;
}

/** The page goes to the background and comes back. */
function putAside(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const hidden of [true, false]) {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }
  });
}

/** Waits until the service worker serves the page and has kept its files. */
export async function filesKept(page: Page, file: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await putAside(page);
        return page.evaluate(async () => {
          const requests = await (await caches.open('files')).keys();
          return navigator.serviceWorker.controller ? requests.map(({ url }) => url).join(' ') : '';
        });
      },
      { timeout: 60_000 },
    )
    .toMatch(file);
}
