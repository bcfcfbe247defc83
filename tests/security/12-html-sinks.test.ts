import { expect, it } from 'vitest';
import { sourceFiles } from '../repository/tree';

/** Ways in which text becomes markup, script or an address that runs. */
const SINKS: readonly [name: string, pattern: RegExp][] = [
  ['innerHTML', /\b(inner|outer)HTML\b/],
  ['dangerouslySetInnerHTML', /dangerouslySetInnerHTML/],
  ['insertAdjacentHTML', /insertAdjacentHTML/],
  ['document.write', /document\.writeln?\(/],
  ['srcdoc', /\bsrc[dD]oc\b/],
  ['DOMParser', /\bDOMParser\b|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe/],
  ['eval', /\beval\(|new Function\(|setTimeout\(\s*['"`]|setInterval\(\s*['"`]/],
  ['javascript:', /['"`]javascript:/i],
  ['postMessage to any origin', /postMessage\([^)]*['"]\*['"]/],
  ['an address from text', /\bhref=\{`|location\.(href|assign|replace)\s*[=(]/],
];

/** Where one is used, and what makes it safe. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'an address from text': [
    // The sibling host of the page's own.
    'src/app/DesktopOffer.tsx',
    // loss_url, which is https (14-redirects.test.ts).
    'src/app/useEvents.ts',
    // mailto: with an address that its reader has judged, and an encoded one.
    'src/features/account/EmailScreen.tsx',
    'src/features/search/CompanySheet.tsx',
  ],
};

const sources = sourceFiles(['src', 'workers', 'domain']);

it.each(SINKS)('%s is used nowhere else', (name, pattern) => {
  const found = sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();
  expect(found).toEqual(ALLOWED[name] ?? []);
});

it('reads the sources', () => expect(sources.length).toBeGreaterThan(300));
