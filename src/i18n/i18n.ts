import { batch, computed } from '@preact/signals-core';
import { createInstance, type ParseKeys, type TFunction } from 'i18next';
import { DEFAULT_LANGUAGE, LANGUAGE_TAGS, type Language } from '#domain/core/language';
import type { RuleKey } from '#domain/core/rule';
import { useValue } from '../useValue';
import { formatAge } from './quoteFormat';
import { language, rowTexts } from './rowTexts';
import { loadStrings, type Strings } from './strings';
import { timeZone } from './timeZone';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Omit<Strings, 'server'> };
  }
}

const i18n = createInstance({
  resources: {},
  lng: LANGUAGE_TAGS[DEFAULT_LANGUAGE],
  fallbackLng: false,
  load: 'currentOnly',
  initAsync: false,
  interpolation: { escapeValue: false },
});
void i18n.init();

/** Key of a sentence without placeholders. */
export type StringKey = ParseKeys;

export { language } from './rowTexts';

/** Stands for a name in a text that is used for many names. */
const NAME = '\u0000';

const translate = i18n.t as (key: string, params?: object) => string;

/** Texts without placeholders, in the shown language. */
const texts = new Map<string, string>();

/**
 * The text of `key` in the shown language. Keys are typed by the English file. A search in i18next
 * costs so much that all of a screen's would be a tenth of its scripts: each text is found once.
 */
export const t = ((key: string, params?: object) => {
  if (params) return translate(key, params);
  const text = texts.get(key) ?? translate(key);
  texts.set(key, text);
  return text;
}) as TFunction;

/** What all texts depend on. */
const shownIn = computed(() => language.value + timeZone.value);

/** `t`; renders when the language or the device's time zone changes. */
export function useT(): typeof t {
  useValue(shownIn);
  return t;
}

/**
 * Shows a language and loads its strings unless they are given. Rejects when they can't be loaded;
 * the former language then stays.
 */
export async function showLanguage(next: Language, given?: Strings): Promise<void> {
  await loadLanguage(next, given);
  await i18n.changeLanguage(LANGUAGE_TAGS[next]);
  texts.clear();
  // Rows that scroll into sight have it for each name: `t` would take as long as all else of a row.
  const favourite = t('market.favourite', { name: NAME }).split(NAME);
  batch(() => {
    language.value = next;
    rowTexts.value = {
      closed: t('market.closed'),
      favourite: (name) => favourite.join(name),
      age: formatAge,
    };
  });
}

/** `t` of a language that is not shown. Rejects when its strings can't be loaded. */
export async function textsIn(other: Language): Promise<typeof t> {
  await loadLanguage(other);
  return i18n.getFixedT(LANGUAGE_TAGS[other]);
}

/** Loads the strings of a language unless they are given or there. Rejects when they can't be loaded. */
export async function loadLanguage(next: Language, given?: Strings): Promise<void> {
  const tag = LANGUAGE_TAGS[next];
  if (i18n.hasResourceBundle(tag, 'translation')) return;
  i18n.addResourceBundle(tag, 'translation', given ?? (await loadStrings(next)));
}

/** The sentence of a rule, whose key is only known at run time. */
export function sentence(
  key: `rules.${RuleKey}`,
  params?: Readonly<Record<string, string | number>>,
): string {
  return translate(key, params);
}
