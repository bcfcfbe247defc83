import type { Language } from '#domain/core/language';
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
