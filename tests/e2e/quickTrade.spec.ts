import { expect } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import { openDemo } from './helpers/people';
import { risingMarket } from './helpers/risingMarket';
import { show, speak } from './helpers/screens';

test.use(PHONE);

test('one tap orders over the chart, another one closes', async ({
  context,
  page,
  startProduct,
}) => {
  const product = await startProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/login?from=%2Ftrade`);
  await page.getByRole('button', { name: 'Try the demo account' }).tap();
  await expect(page).toHaveURL(/#\/trade/);

  // Until it is chosen there is no panel.
  const panel = page.getByRole('region', { name: 'One-tap panel' });
  await page.getByRole('button', { name: 'Chart settings' }).tap();
  await page.getByRole('checkbox', { name: 'One-tap panel' }).check();
  await page.getByRole('button', { name: 'Close', exact: true }).tap();
  await expect(panel.getByRole('button')).toHaveCount(1);

  await panel.getByRole('button', { name: 'Turn one-tap trading on' }).tap();
  await panel.getByRole('button', { name: 'Buy' }).tap();
  await expect(page.getByText(/Order placed: Buy 0\.01 lots of EUR\/USD at 1\.39/)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Close' }).tap();
  await expect(page.getByText(/1 order closed/)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Close' })).toHaveCount(0);

  // The choice is kept, being on is not.
  await page.reload();
  await expect(panel.getByRole('button', { name: 'Turn one-tap trading on' })).toBeVisible();
  await expect(panel.getByRole('button')).toHaveCount(1);
});

test('the panel leaves the axis of prices free, also where texts run right to left', async ({
  context,
  page,
  startProduct,
}) => {
  const product = await startProduct();
  await context.addCookies([languageCookie('en', product.url)]);
  await context.addInitScript(() => localStorage.setItem('fulcrum.quick-panel', 'true'));
  await openDemo(page, product);
  await speak(page, 'ar');
  await show(page, '/trade?code=BTCUSD');
  const panel = await page.getByRole('region', { name: 'لوحة' }).boundingBox();
  const chart = await page.getByRole('application').boundingBox();
  if (!panel || !chart) throw new Error('no panel');
  expect(panel.x + panel.width).toBeLessThanOrEqual(chart.x + chart.width - 70);
});
