import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';

const SPEED = 10;
const BEGIN = Date.UTC(2014, 4, 7);
/** Seconds of the recording: a wrong price comes, and the next one of the pair; the end. */
const [WRONG, NEXT, END] = [150, 450, 3_600];

/** EUR/USD has a price that is too low, and then none for a while, in which GBP/USD goes on. */
async function startHalting(startProduct: typeof Product.start, file: string): Promise<Product> {
  const lines = ['time,code,bid,ask'];
  for (let second = 0; second < END; second++) {
    const at = BEGIN + second * 1000;
    const wave = (second % 7) / 100_000;
    const row = (code: string, bid: number) =>
      lines.push(`${at},${code},${bid.toFixed(5)},${(bid + 0.0001).toFixed(5)}`);
    if (second <= WRONG || second >= NEXT) row('EURUSD', (second === WRONG ? 1.31 : 1.39) + wave);
    row('GBPUSD', 1.69 + wave);
  }
  writeFileSync(file, [...lines, ''].join('\n'));
  return startProduct('--replay', file, '--speed', `${SPEED}`, '--replay-wait');
}

const PAUSED = 'Trading paused: the price is being checked';

for (const [name, size] of [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const) {
  test.describe(name, () => {
    test.use(size);

    test('a wrong price pauses trading, is never shown and fires nothing; the next one goes on', async ({
      context,
      page,
      startProduct,
    }, info) => {
      const product = await startHalting(startProduct, info.outputPath('ticks.csv'));
      await context.addCookies([languageCookie('en', product.url)]);
      await openDemo(page, product, '/trade?code=EURUSD');
      const buy = page.getByRole('button', { name: /^Buy/ }).first();
      const lowest = page.evaluateHandle(() => {
        const seen = { lowest: Number.POSITIVE_INFINITY };
        const look = () => {
          for (const [text] of document.body.innerText.matchAll(/\b1\.3\d{4}\b/g))
            seen.lowest = Math.min(seen.lowest, Number(text));
          requestAnimationFrame(look);
        };
        look();
        return seen;
      });

      const paused = page.getByText(PAUSED).filter({ visible: true });
      await expect(paused.first()).toBeVisible({ timeout: 60_000 });
      await expect(buy).toBeDisabled();
      await expect(paused).toHaveCount(0, { timeout: 60_000 });
      await expect(buy).toBeEnabled();
      const seen = await (await lowest).evaluate((each) => each.lowest);
      expect(seen).toBeGreaterThan(1.38);
      expect(seen).toBeLessThan(1.4);
    });
  });
}
