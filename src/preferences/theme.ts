import { effect } from '@preact/signals-core';
import { theme } from './preferences';

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Applies the chosen theme to the document, from before the first paint. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    paintBrowser();
  });
  darkSystem.addEventListener('change', paintBrowser);
}

/** Colours the browser's own bars like the page. */
function paintBrowser(): void {
  const dark = theme.peek() === 'dark' || (theme.peek() === 'system' && darkSystem.matches);
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = dark ? '#0e1216' : '#ffffff';
  }
}
