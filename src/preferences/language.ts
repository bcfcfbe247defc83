import type { Language } from '#domain/core/language';
import { loadLanguage, showLanguage } from '../i18n/i18n';
import type { Strings } from '../i18n/strings';
import { workerApi } from '../worker/workerApi';
import { saveLanguage, setDocumentLanguage } from './savedLanguage';

/** Shows a language in the whole document. Rejects when its strings can't be loaded. */
export async function applyLanguage(language: Language, given?: Strings): Promise<void> {
  await showLanguage(language, given);
  setDocumentLanguage(language);
}

let choices = 0;

/**
 * Sets the user's choice for this page, the next visit and the server's messages. Resolves to false, having set nothing,
 * where another was chosen while its strings were loaded.
 */
export async function chooseLanguage(language: Language): Promise<boolean> {
  const choice = ++choices;
  try {
    await loadLanguage(language);
  } catch (error) {
    if (choice === choices) throw error;
  }
  if (choice !== choices) return false;
  await applyLanguage(language);
  saveLanguage(language);
  await workerApi.setLanguage(language);
  return true;
}
