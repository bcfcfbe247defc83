/** The languages (domain.md#languages), in the order in which they are offered. */
export const LANGUAGES = [
  'hk',
  'en',
  'jp',
  'kr',
  'th',
  'vn',
  'fr',
  'de',
  'ru',
  'spa',
  'pt',
  'ar',
  'it',
  'tr',
  'id',
  'my',
  'hi',
  'cs',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Traditional Chinese (domain.md#languages). */
export const DEFAULT_LANGUAGE: Language = 'hk';

/** A saved or sent language code (tw is hk, domain.md#languages); the default where it is not one of ours. */
export function toLanguage(code: string | undefined): Language {
  if (code === 'tw') return 'hk';
  return LANGUAGES.find((language) => language === code) ?? DEFAULT_LANGUAGE;
}

/** One table from our codes to BCP 47, for Intl and `<html lang>`. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = {
  hk: 'zh-Hant-HK',
  en: 'en',
  jp: 'ja',
  kr: 'ko',
  th: 'th',
  vn: 'vi',
  fr: 'fr',
  de: 'de',
  ru: 'ru',
  spa: 'es',
  pt: 'pt',
  ar: 'ar',
  it: 'it',
  tr: 'tr',
  id: 'id',
  my: 'ms',
  hi: 'hi',
  cs: 'cs',
};

/** The first of the BCP 47 tags, as a browser lists its languages, that is a language of ours, in any region. */
export function languageOfTags(tags: readonly string[]): Language | undefined {
  const primary = (tag: string) => tag.split('-', 1)[0]?.toLowerCase();
  for (const tag of tags) {
    const language = LANGUAGES.find((each) => primary(LANGUAGE_TAGS[each]) === primary(tag));
    if (language) return language;
  }
  return undefined;
}

/** BCP 47 tag with Latin digits. */
export function localeOf(code: Language): string {
  return `${LANGUAGE_TAGS[code]}-u-nu-latn`;
}

export function isRightToLeft(language: Language): boolean {
  return language === 'ar';
}
