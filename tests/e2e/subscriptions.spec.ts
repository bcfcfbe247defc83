import { type CDPSession, expect, type Page } from '@playwright/test';
import { samples } from '../helpers/samples';
import { chromiumOnly } from './engines/engine';
import { atRest, DESKTOP, test } from './helpers/browser';
import { CODE, choosePeriod, openChart } from './helpers/chart';
import type { Product } from './helpers/product';
import { show } from './helpers/screens';

test.use(DESKTOP);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const TIMES = samples(7, 20);
/** An instrument that always trades. */
const OTHER = 'ETHUSD';

/** Listeners of all that is not garbage, after the page has come to rest. */
async function listeners(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSEventListeners')?.value ?? 0;
}

/** What the page has told the worker to watch and not to leave since. */
const watched = (page: Page) => page.evaluate(() => globalThis.watchedBars());

declare global {
  function watchedBars(): string[];
}

test('as many changes of instrument, period and screen as one likes leave the listeners and subscriptions of one', async ({
  page,
}) => {
  chromiumOnly('it counts listeners');
  await page.addInitScript(() => {
    const held = new Map<string, number>();
    const { postMessage } = Worker.prototype;
    const read = (message: {
      path?: string[];
      argumentList?: { value?: { candles?: { add: object[]; remove: object[] } } }[];
    }) => {
      const { candles } =
        message?.path?.at(-1) === 'watch' ? (message.argumentList?.[0]?.value ?? {}) : {};
      for (const key of candles?.add ?? [])
        held.set(JSON.stringify(key), (held.get(JSON.stringify(key)) ?? 0) + 1);
      for (const key of candles?.remove ?? [])
        held.set(JSON.stringify(key), (held.get(JSON.stringify(key)) ?? 0) - 1);
    };
    for (const prototype of [Worker.prototype, MessagePort.prototype]) {
      const send = prototype === Worker.prototype ? postMessage : prototype.postMessage;
      prototype.postMessage = function (this: never, message: never, ...rest: never[]) {
        read(message);
        return (send as (...all: never[]) => void).call(this, message, ...rest);
      } as never;
    }
    globalThis.watchedBars = () =>
      [...held]
        .filter(([, count]) => count !== 0)
        .map(([key, count]) => `${key} ${count}`)
        .sort();
  });
  await openChart(page, product.url);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const cycle = async () => {
    await show(page, `/trade?code=${OTHER}`);
    await choosePeriod(page, '1h');
    await show(page, '/about');
    await show(page, `/trade?code=${CODE}`);
    await choosePeriod(page, '1D');
  };
  // The first ones load what is loaded once.
  for (let time = 0; time < 2; time++) await cycle();
  const [first, bars] = [await listeners(cdp), await atRest(() => watched(page))];
  for (let time = 0; time < TIMES; time++) await cycle();
  expect(bars.length).toBeGreaterThan(0);
  await expect.poll(() => watched(page)).toEqual(bars);
  await expect.poll(() => listeners(cdp)).toBeLessThanOrEqual(first);
});
