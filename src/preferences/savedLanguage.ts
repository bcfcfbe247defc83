import { isRightToLeft, LANGUAGE_TAGS, type Language, toLanguage } from '#domain/core/language';

/** Name of the cookie (domain.md#languages). */
const COOKIE = 'language';
const YEAR = 365 * 24 * 3600;

/**
 * The saved language if it is supported, with `tw` read as `hk`, otherwise the default
 * (domain.md#languages).
 */
export function savedLanguage(cookies: string = document.cookie): Language {
  return toLanguage(savedCode(cookies));
}

/** Whether the user has chosen a language, be it the default. */
export function languageIsSaved(): boolean {
  return savedCode(document.cookie) !== undefined;
}

function savedCode(cookies: string): string | undefined {
  return new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(cookies)?.[1];
}

export function saveLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${COOKIE}=${language}; path=/; max-age=${YEAR}; samesite=lax`;
}

/** Sets language and text direction of the document. */
export function setDocumentLanguage(language: Language): void {
  document.documentElement.lang = LANGUAGE_TAGS[language];
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
}
