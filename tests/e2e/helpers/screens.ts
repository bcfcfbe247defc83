import { expect, type Page } from '@playwright/test';
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '#domain/core/language';
import { expectScreen } from './browser';

/** All screens, for a user with data in each list. */
export const SCREENS = [
  '/',
  '/trade',
  '/order',
  '/order?type=0',
  '/order?type=3',
  '/user',
  '/news',
  '/news/detail?id=1',
  '/rank',
  '/rank?tab=documentary',
  '/feedback',
  '/login',
  '/register',
  '/forgot',
  '/product',
  '/language',
  '/mine/auth',
  '/mine/invite',
  '/mine/email',
  '/mine/announcement',
  '/mine/password',
  '/mine/security',
  '/mine/two-factor',
  '/mine/passkeys',
  '/mine/devices',
  '/mine/history',
  '/mine/results?period=all',
  '/mine/statement?period=all',
  '/mine/charge',
  '/mine/withdraw',
  '/mine/chat',
  '/mine/system',
  '/mine/wallet',
  '/mine/bank-card-list',
  '/mine/coin-address-list',
  '/mine/withdraw-way?type=1',
  '/mine/withdraw-way?type=2',
  '/mining',
  '/mining/subscribe?id=1',
  '/mining/record',
  '/mining/income?id=1',
  '/practice',
  '/about',
];

/** Navigates to a screen without reloading the page. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, path);
  await expectScreen(page, path);
  // The title is that of the screen and nothing is loading.
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('main h1')].filter((h1) => h1.checkVisibility());
    const loading = document.querySelectorAll(
      'main :is([role="status"][aria-label]:not(:empty), [class*="skeleton"]), dialog[open]',
    );
    return shown.length > 0 && ![...loading].some((element) => element.checkVisibility());
  });
}

/** Waits until the sheets have their content and have moved in with it. */
export async function hasComeIn(page: Page): Promise<void> {
  await expect(page.locator('[role=dialog][data-starting-style]')).toHaveCount(0);
  for (const dialog of await page.getByRole('dialog').all())
    await dialog.evaluate((popup) =>
      Promise.allSettled(popup.getAnimations().map(({ finished }) => finished)),
    );
}

/** Opens the dialogs of all screens one after the other. */
export async function eachSheet(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog');
  // The screen before stays mounted.
  const shown = (selector: string) => page.locator(selector).filter({ visible: true });
  const isWide = (page.viewportSize()?.width ?? 0) >= 1024;
  const lists = () => shown('main fieldset + button:not([aria-haspopup=menu])').first().click();
  const openOrder = async (action: number) => {
    await shown('main :is([role=listitem], li, tbody button)').first().click();
    await dialog.getByRole('button').nth(action).click();
    await dialog.locator('dl, fieldset').last().waitFor();
  };
  const sheets: [path: string, name: string, open: () => Promise<void>][] = [
    ['/', 'watchlists', lists],
    [
      '/',
      'favourites',
      async () => {
        await lists();
        await dialog.getByRole('listitem').first().getByRole('button').click();
      },
    ],
    [
      '/',
      'more favourites',
      async () => {
        await lists();
        await dialog.getByRole('listitem').first().getByRole('button').click();
        await dialog.locator('button').last().click();
        await dialog.getByRole('checkbox').first().waitFor();
      },
    ],
    // A desktop has the order form beside the chart.
    [
      '/trade',
      'sheet',
      () =>
        shown(isWide ? 'main header h1 ~ button' : 'main button')
          .last()
          .click(),
    ],
    [
      '/trade',
      'watchlists of an instrument',
      async () => {
        await shown('main header h1 ~ button').last().click();
        await dialog.locator('section button').last().click();
        // From the second time on, a list of this name exists already, and the form says so.
        await dialog.getByRole('textbox').fill('W'.repeat(24));
        await page.keyboard.press('Enter');
        await dialog.getByRole('checkbox').nth(1).waitFor();
      },
    ],
    [
      '/trade',
      'alert on two indicators',
      async () => {
        await shown('main header h1 ~ button[aria-haspopup=dialog]').first().click();
        await dialog.locator('[name=kind]').selectOption('1');
        await dialog.locator('[name=against]').selectOption('2');
        await dialog.locator('[name=length]').nth(1).waitFor();
      },
    ],
    // Rows of a list on a phone, of a table on a desktop.
    ['/order', 'sheet', () => shown('main :is([role=listitem], li, tbody button)').first().click()],
    ['/order?type=0', 'amendment', () => openOrder(1)],
    ['/order', 'reversal', () => openOrder(2)],
    ['/mine/withdraw', 'sheet', () => page.locator('main').getByRole('listitem').first().click()],
    ['/mine/system', 'sheet', () => shown('main button').last().click()],
  ];
  for (const [path, name, open] of sheets) {
    await show(page, path);
    await open();
    await dialog.waitFor();
    await hasComeIn(page);
    await look(`${name} of ${path}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
}

/** Changes the language as its screen does, without loading the page again. */
export async function speak(page: Page, language: Language): Promise<void> {
  await show(page, '/language');
  await page.locator('main button[lang]').nth(LANGUAGES.indexOf(language)).click();
  await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE_TAGS[language]);
  // The screen goes back, which would undo a navigation that comes earlier.
  await expect(page.locator('main')).not.toHaveAttribute('data-path', '/language');
}
