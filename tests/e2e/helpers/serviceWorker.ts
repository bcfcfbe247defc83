import { expect, type Page, type Worker } from '@playwright/test';
import { LANGUAGES } from '#domain/core/language';
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

/** Waits until the service worker serves the page and has kept all that it names, but for the strings of other languages. */
export async function allKept(page: Page): Promise<void> {
  const missing = async () => {
    await putAside(page);
    return page.evaluate(async (languages) => {
      if (!navigator.serviceWorker.controller) return ['a service worker'];
      const script = await (await fetch('/service-worker.js')).text();
      const named = script.match(/[\w.-]+-[\w-]{7,8}\.(?:js|css)\b/g) ?? [];
      const kept = (await (await caches.open('files')).keys()).map(({ url }) => url).join();
      return named.filter(
        (name) => !kept.includes(name) && !languages.some((code) => name.startsWith(`${code}-`)),
      );
    }, LANGUAGES);
  };
  await expect.poll(missing, { timeout: 120_000 }).toEqual([]);
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
