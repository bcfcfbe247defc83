import { expect } from '@playwright/test';
import { engine } from './engines/engine';
import { PHONE, test } from './helpers/browser';
import { inCluster } from './helpers/product';

test.use(PHONE);

test('a phone tells the operator how fast a visit was, where the operator wants it', async ({
  page,
  startProduct,
}) => {
  test.skip(inCluster, 'each gateway has metrics of its own');
  const product = await startProduct('--vitals-share', '1', '--metrics-port', '0');
  const [, metrics = ''] = await product.printed(/Metrics: (\S+)/);
  const script = page.waitForResponse(/\/vitals-[^/]*\.js$/);
  await page.goto(product.url);
  await script;
  const price = page.getByRole('rowgroup').getByRole('row').first();
  const before = await price.textContent();
  await expect.poll(() => price.textContent()).not.toBe(before);
  // Leaving hides the page first.
  await page.goto('about:blank');
  const counts = async () => {
    const text = await (await fetch(metrics)).text();
    const found = text.matchAll(/^fulcrum_visit_vitals_seconds_count\{vital="(\w+)"\} (\d+)/gm);
    return Object.fromEntries([...found].map(([, vital, count]) => [vital, count]));
  };
  // In WebKitGTK neither the largest paint nor the start of the answer is measured.
  const others = engine === 'webkit' ? {} : { ttfb: '1', lcp: '1' };
  await expect.poll(counts).toMatchObject({ fcp: '1', quote_age: '1', ...others });
});
