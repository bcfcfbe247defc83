import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createInstance } from 'i18next';
import { LANGUAGE_TAGS, type Language } from '#domain/core/language';
import { languageCookie } from './browser';
import type { Product } from './product';
import { ScreenReader } from './screenReader';

/** The strings of a language. */
const strings = (language: Language) => {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as object;
};
const sentences = (node: object): string[] =>
  Object.values(node).flatMap((value) => (typeof value === 'string' ? value : sentences(value)));

/** `t` of a language, as the app has it. */
export function words(language: Language) {
  const lng = LANGUAGE_TAGS[language];
  const i18n = createInstance({
    lng,
    resources: { [lng]: { translation: strings(language) } },
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  return i18n.t as (key: string, params?: object) => string;
}

const NAMED = 'button|link|textbox|searchbox|combobox|checkbox|radio|image|dialog';
const NAMELESS = new RegExp(`^(?:${NAMED})(?:$|, (?:not |disabled|invalid|checked|has popup))`);

/** The body of a test of a flow in a language. It has a reader and no page: nothing but what is spoken. */
export function spokenFlow(
  language: Language,
  product: () => Product,
  path: string,
  run: (reader: ScreenReader) => Promise<void>,
) {
  const own = new Set(sentences(strings(language)));
  const others = sentences(strings(language === 'en' ? 'ar' : 'en'));
  const foreign = new Set(others.filter((text) => !own.has(text)));
  return async ({ page, context }: { page: Page; context: BrowserContext }) => {
    const { url } = product();
    await context.addCookies([languageCookie(language, url)]);
    await page.goto(`${url}/#${path}`);
    await expect(page.locator('main h1').first()).toBeVisible();
    const reader = await ScreenReader.start(page);
    await run(reader);
    expect((await reader.spoken()).filter((phrase) => NAMELESS.test(phrase))).toEqual([]);
    if (path === '/language') return;
    expect((await reader.items()).filter((item) => foreign.has(item))).toEqual([]);
  };
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
