import { beforeEach, expect, test } from 'vitest';
import { LANGUAGES, languageOfTags } from '#domain/core/language';
import { language } from '../../../src/i18n/i18n';
import { LANGUAGE_NAMES } from '../../../src/i18n/languageNames';
import { chooseLanguage } from '../../../src/preferences/language';
import { savedLanguage } from '../../../src/preferences/savedLanguage';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the test is about the browser's cookie
  document.cookie = 'language=; path=/; max-age=-1';
});

test('a saved code is used if it is supported, tw means hk, otherwise hk (domain.md#languages)', () => {
  expect(savedLanguage('')).toBe('hk');
  expect(savedLanguage('a=b; language=fr; c=d')).toBe('fr');
  expect(savedLanguage('language=tw')).toBe('hk');
  expect(savedLanguage('language=xx')).toBe('hk');
  expect(savedLanguage('language=__proto__')).toBe('hk');
  expect(savedLanguage('notlanguage=fr')).toBe('hk');
});

test('choosing a language shows it, saves it and passes it to the worker', async () => {
  const worker = scriptWorkerApi();
  await chooseLanguage('ar');
  expect(language.value).toBe('ar');
  expect(document.documentElement.lang).toBe('ar');
  expect(document.documentElement.dir).toBe('rtl');
  expect(savedLanguage()).toBe('ar');
  expect(worker.calls).toEqual([{ method: 'setLanguage', args: ['ar'] }]);
  await chooseLanguage('hk');
  expect(document.documentElement.lang).toBe('zh-Hant-HK');
  expect(document.documentElement.dir).toBe('ltr');
  await chooseLanguage('en');
});

test('of two choices the later one is shown, whichever is loaded first', async () => {
  scriptWorkerApi();
  const slow = chooseLanguage('th');
  const quick = chooseLanguage('en');
  expect(await Promise.all([slow, quick])).toEqual([false, true]);
  expect([language.value, savedLanguage(), document.documentElement.lang]).toEqual([
    'en',
    'en',
    'en',
  ]);
});

test('each of the 18 has its own name', () => {
  expect(new Set(LANGUAGES.map((code) => LANGUAGE_NAMES[code])).size).toBe(18);
});

test('the language of a browser is the first of its languages that is ours', () => {
  expect(languageOfTags(['de-AT', 'en'])).toBe('de');
  expect(languageOfTags(['nl-NL', 'EN-gb', 'fr'])).toBe('en');
  expect(languageOfTags(['zh-CN'])).toBe('hk');
  expect(languageOfTags(['ms'])).toBe('my');
  expect(languageOfTags(['nl', ''])).toBeUndefined();
  expect(languageOfTags([])).toBeUndefined();
});
