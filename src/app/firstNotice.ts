import type { Language } from '#domain/core/language';
import { sandboxNoticeRead } from '../preferences/preferences';

/**
 * Writes the notice that no money is real into the strip of index.html, where the status strip
 * will have it: it is the largest text of many screens, and no strings are loaded yet. The page
 * brings it in every language (scripts/vitePlugins.ts).
 */
export function showFirstNotice(language: Language): void {
  const notices = document.querySelector('#notices')?.textContent;
  if (!notices || sandboxNoticeRead.peek()) return;
  document.querySelector('.boot-strip')?.append(JSON.parse(notices)[language]);
}
