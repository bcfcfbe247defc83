import type { Language } from '#domain/core/language';
import type en from '#locales/en';

/** All sentences that a browser may show. */
export type Strings = typeof en;

const files = import.meta.glob<Strings>(['../../locales/*.json', '!../../locales/tsconfig.json'], {
  import: 'default',
});

/** Fetches the sentences of a language; English ones where it has no file. */
export async function loadStrings(language: Language): Promise<Strings> {
  const load = files[`../../locales/${language}.json`] ?? files['../../locales/en.json'];
  if (!load) throw new Error('no strings');
  return load();
}
