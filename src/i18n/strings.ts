import { LANGUAGES, type Language } from '#domain/core/language';
import { CACHED_FILES } from '#domain/worker/serviceWorker';
import type en from '#locales/en';

/** All texts of the browser. */
export type Strings = typeof en;

const files = import.meta.glob<Strings>(['../../locales/*.json', '!../../locales/tsconfig.json'], {
  import: 'default',
});

/** Loads the texts of a language; English where it has no file. */
export async function loadStrings(language: Language): Promise<Strings> {
  const load = files[`../../locales/${language}.json`] ?? files['../../locales/en.json'];
  if (!load) throw new Error('no strings');
  return load();
}

/**
 * The strings of a language, or of another one where these can't be loaded: of the one that the service worker kept last. A browser
 * that has forgotten the cookie starts in a language that it may never have shown.
 */
export async function loadCachedStrings(language: Language): Promise<[Language, Strings]> {
  try {
    return [language, await loadStrings(language)];
  } catch (error) {
    for (const other of await cachedLanguages()) {
      // A file that is kept may be of another version.
      const strings = await loadStrings(other).catch(() => undefined);
      if (strings) return [other, strings];
    }
    throw error;
  }
}

/** The last one first. */
async function cachedLanguages(): Promise<Language[]> {
  if (!('caches' in globalThis)) return [];
  const requests = await (await caches.open(CACHED_FILES)).keys();
  const names = requests.map(({ url }) => /\/assets\/([a-z]+)-[^/]*\.js$/.exec(url)?.[1]);
  return names.reverse().flatMap((name) => LANGUAGES.filter((language) => language === name));
}
