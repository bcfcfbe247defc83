import { expect, type Locator, type Page } from '@playwright/test';

export const focused = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement);

/** Presses the tab key until `target` has the focus; fails where it never gets it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await focused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the tab key never reaches ${target}`);
}
