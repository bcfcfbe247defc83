import { isDeepStrictEqual } from 'node:util';
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import type { Language } from '#domain/core/language';
import { extendBidi } from '../engines/bidi';
import { engine } from '../engines/engine';
import { exceptionFor } from '../engines/exceptions';
import { Product } from './product';

export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/**
 * What browsers say where a test stops the server on purpose, or where it leaves a page that still loads. Firefox and
 * WebKit say it as errors of the page. Of a service worker that gets no answer WebKit names the error in front of the message; of
 * one that is thrown in the page, only the message follows.
 */
const OF_NETWORK =
  /Failed to load resource|WebSocket connection|^Preflight response is not successful|NetworkError when attempting to fetch resource|^(Firefox can’t establish|The connection to ws\S* was interrupted)|^(Fetch API cannot|Cannot) load \S+( due to access control checks|$)|^TypeError: Load failed$|^(Importing a module script is canceled|Cross-origin script load denied)|^Failed to load ‘\S+’. A ServiceWorker intercepted/;

/**
 * A test that also fails on page errors, console messages and violations of the content security
 * policy.
 */
export const test = base.extend<
  { startProduct: typeof Product.start; problems: string[]; exception: undefined },
  { shareProduct: typeof Product.start }
>({
  /** Playwright's client, with what it lacks in the engine. */
  browser: [
    async ({ browser }, use) => {
      if (engine !== 'chromium') await extendBidi(browser, engine);
      await use(browser);
    },
    { scope: 'worker' },
  ],
  /** Skips what exceptions.ts lists. */
  exception: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are needed.
    async ({}, use, { file, title }) => {
      const reason = exceptionFor(engine, file, title);
      base.skip(reason !== undefined, `${engine}: ${reason}`);
      await use(undefined);
    },
    { auto: true },
  ],
  /**
   * The product with these arguments that all files of a worker use, started by the first of them: a start takes three
   * seconds of CPU. No file stops it.
   */
  shareProduct: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are needed.
    async ({}, use) => {
      const started = new Map<string, Product>();
      await use(async (...args) => {
        const key = JSON.stringify(args);
        const product = started.get(key) ?? (await Product.start(...args));
        started.set(key, product);
        return product;
      });
      for (const product of started.values()) await product.stop();
    },
    { scope: 'worker' },
  ],
  /** Starts a product for one test. It is stopped after the pages, which may still load other screens. */
  startProduct: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are needed.
    async ({}, use) => {
      const started: Product[] = [];
      await use(async (...args) => {
        const product = await Product.start(...args);
        started.push(product);
        return product;
      });
      for (const product of started) await product.stop();
    },
    // Set up before the context, and so ended after it.
    { auto: true },
  ],
  problems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
          console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
        });
      });
      const note = (kind: string, message: string, where = '') => {
        if (!OF_NETWORK.test(message)) problems.push(`${kind}: ${message}${where}`);
      };
      context.on('weberror', (error) => {
        const { message, stack = '' } = error.error();
        const [place = ''] = /\n\s+at .*/.exec(stack) ?? [];
        note('error', message, ` (${error.page()?.url()})${place}`);
      });
      context.on('console', (message) => {
        if (message.type() === 'error') note('console', message.text());
      });
      await use(problems);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
    { auto: true },
  ],
});

/** The open sheet. Toasts are dialogs, too. */
export const sheetOf = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])');

/**
 * Waits until the screen of a path is shown. The address changes earlier, while the previous
 * screen, which may have fields of the same names, still receives input.
 */
export async function expectScreen(page: Page, path: string): Promise<void> {
  await expect(page.locator('main')).toHaveAttribute('data-path', path.replace(/\?.*/, ''));
}

/**
 * The text of the next such toast. Call it before what shows the toast: it ends by itself, and the page looks for it however
 * slow the test is.
 */
export async function toastText(page: Page, pattern: RegExp): Promise<string> {
  const found = await page.waitForFunction(
    (wanted) => {
      const titles = [...document.querySelectorAll('[data-toasts] p')];
      return titles.map((title) => title.textContent ?? '').find((text) => wanted.test(text));
    },
    pattern,
    // Without frames, which a page in the background has none of.
    { polling: 100 },
  );
  return (await found.jsonValue()) ?? '';
}

/** What two reads agree on, one a little after the other. */
export async function atRest<T>(read: () => Promise<T>): Promise<T> {
  let last: T | undefined;
  await expect
    .poll(async () => {
      const former = last;
      last = await read();
      return isDeepStrictEqual(last, former);
    })
    .toBe(true);
  return last as T;
}

export function languageCookie(language: Language, url: string) {
  return { name: 'language', value: language, url };
}
