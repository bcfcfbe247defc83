import { effect } from '@preact/signals-core';
import { theme } from './preferences';

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Keeps the document in the theme that was chosen, from before the first paint of ours. */
export function applyTheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === 'system') delete dataset.theme;
    else dataset.theme = theme.value;
    paintBrowser();
  });
  darkSystem.addEventListener('change', paintBrowser);
}

/** The browser's own bars take the colour of the page. */
function paintBrowser(): void {
  const dark = theme.peek() === 'dark' || (theme.peek() === 'system' && darkSystem.matches);
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = dark ? '#0e1216' : '#ffffff';
  }
}
