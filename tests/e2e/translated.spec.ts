import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';

test.use(PHONE);

/** As a browser's translator does it, now and with each text that comes; `all`: what is not to be translated as well. */
function translate(page: Page, all: boolean): Promise<void> {
  return page.evaluate((all) => {
    const pass = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (text.data.trim() === '' || text.parentElement?.closest('font, script, style')) continue;
        if (!all && text.parentElement?.closest('[translate=no]')) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    pass();
    new MutationObserver(pass).observe(document.body, { childList: true, subtree: true });
  }, all);
}

for (const all of [false, true]) {
  test(`a page that is translated, ${all ? 'figures too' : 'but not its figures'}, shows prices, and each screen`, async ({
    page,
    shareProduct,
  }) => {
    const product = await shareProduct();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.context().addCookies([languageCookie('en', product.url)]);
    await page.goto(`${product.url}/#/trade?code=BTCUSD`);
    await expect(page).toHaveTitle(/^[\d,.]+ Bitcoin/);
    await translate(page, all);
    const header = page.locator('header').filter({ has: page.locator('h1') });
    for (let change = 0; change < 3; change++) {
      const before = (await page.title()).split(' ')[0] as string;
      await expect(page).not.toHaveTitle(new RegExp(`^${before.replaceAll('.', '\\.')} `));
      await expect
        .poll(async () => {
          const shown = (await page.title()).split(' ')[0] as string;
          return (await header.textContent())?.replace(/\s/g, '').includes(shown);
        })
        .toBe(true);
    }
    // React puts in, takes out and writes.
    await page.getByRole('button', { name: 'Buy', exact: true }).tap();
    await expect(page.getByRole('dialog', { name: 'Bitcoin', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    for (const name of ['Market', 'Trading']) {
      await page
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .tap();
      await expect(page.locator('main, h1').first()).toBeVisible();
    }
    await expect(page).toHaveTitle(/Bitcoin/);
    expect(errors).toEqual([]);
  });
}
