/// <reference types="vite/types/importMeta.d.ts" />
import { createInstance } from 'i18next';
import { LANGUAGE_TAGS, LANGUAGES, type Language, localeOf } from '#domain/core/language';
import type english from '#locales/en';
import { getOrInsert } from './getOrInsert';
import { SECTIONS } from './sections';

/** `a_one` and `a_other` are the plural forms of one key, `a`. */
type WithoutPlural<K extends string> = K extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : K;
type Keys<T, Path extends string> = T extends string
  ? Path
  : { [K in keyof T & string]: Keys<T[K], `${Path}.${WithoutPlural<K>}`> }[keyof T & string];

type Section = (typeof SECTIONS)[number];
type Sections = Pick<typeof english, Section>;
/** The key of a sentence in locales/en.json that the server uses. */
export type MessageKey = { [Name in Section]: Keys<Sections[Name], Name> }[Section];
export type MessageParams = Readonly<Record<string, string | number>>;

const files = import.meta.glob<Sections>('../../locales/*.json', {
  eager: true,
  import: 'default',
});

const i18n = createInstance();
void i18n.init({
  initAsync: false,
  fallbackLng: 'en',
  load: 'currentOnly',
  // The text becomes JSON and then a text node, so nothing has to be escaped.
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const file = files[`../../locales/${language}.json`];
      if (!file) return [];
      return [
        [
          LANGUAGE_TAGS[language],
          { translation: Object.fromEntries(SECTIONS.map((name) => [name, file[name]])) },
        ],
      ];
    }),
  ),
});

/** Sentences without parameters, which i18next would look up and interpolate each time. */
const plain = new Map<string, string>();

/** Returns the sentence in the user's language. */
export function translate(language: Language, key: MessageKey, params?: MessageParams): string {
  const lng = LANGUAGE_TAGS[language];
  if (params) return i18n.t(key, { ...params, lng });
  return getOrInsert(plain, `${lng} ${key}`, () => i18n.t(key, { lng }));
}

/** A number, or one as a plain decimal, with so many decimals. */
export function fixedText(
  language: Language,
  value: number | string,
  digits: number,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): string {
  return new Intl.NumberFormat(localeOf(language), {
    signDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value as Intl.StringNumericLiteral);
}
