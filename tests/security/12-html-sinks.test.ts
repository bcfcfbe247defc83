import { expect, it } from 'vitest';
import { sourceFiles } from '../repository/tree';

/** Ways in which text becomes markup, script or an address that runs. */
const SINKS: readonly [name: string, pattern: RegExp][] = [
  ['innerHTML', /\b(inner|outer)HTML\b/],
  ['dangerouslySetInnerHTML', /dangerouslySetInnerHTML/],
  ['insertAdjacentHTML', /insertAdjacentHTML/],
  ['document.write', /document\.write(ln)?\(/],
  ['srcdoc', /\bsrc[dD]oc\b/],
  ['DOMParser', /\bDOMParser\b|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe/],
  ['eval', /\beval\(|new Function\(|setTimeout\(\s*['"`]|setInterval\(\s*['"`]/],
  ['javascript:', /['"`]javascript:/i],
  ['postMessage to any origin', /postMessage\([^)]*['"]\*['"]/],
  ['an address from text', /\bhref=\{`|location\.(href|assign|replace)\s*[=(]/],
  [
    'a link to what a variable holds',
    /\b(href|formAction|xlinkHref)=\{[^`]|\.(href|action)\s*=[^=]/,
  ],
  [
    'a picture or frame of what a variable holds',
    /\b(src|srcSet|poster)=\{|\.(src|srcset)\s*=[^=]/,
  ],
  ['a window of what a variable holds', /\bopen\([\w.]*(url|link|href)/i],
  ['an attribute that runs', /setAttribute\(\s*['"`](on|href|src|action)/],
  [
    'a worker or a module of what a variable holds',
    /importScripts|\bimport\([^)'"`]|\bWorker\((?!new URL\(')\w/,
  ],
];

/** Where one is used, and what makes it safe. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'an address from text': [
    // The sibling host of the page's own.
    'src/app/DesktopOffer.tsx',
    // loss_url, which its reader has checked (13-xss.test.ts).
    'src/app/useEvents.ts',
    // mailto: with an address that its reader has checked (tests/domain/core/read.test.ts).
    'src/features/account/EmailScreen.tsx',
    'src/features/search/CompanySearch.tsx',
  ],
  'a link to what a variable holds': [
    // The page's icon, as it was or as the page has drawn it.
    'src/alerts/attention.ts',
    // Written in our sources.
    'src/features/about/AboutScreen.tsx',
    // https:, as its reader requires (tests/workers/account/calls.test.ts).
    'src/features/account/ChatScreen.tsx',
    // otpauth: (tests/workers/account/security.test.ts).
    'src/features/account/security/TwoFactorScreen.tsx',
    // https: (tests/domain/api/funds.test.ts).
    'src/features/search/CompanySearch.tsx',
    // A file that the page has made.
    'src/features/speedTest/Results.tsx',
    // A path of the app, after its #.
    'src/ui/Link.tsx',
    // A file that the page has made.
    'src/ui/saveFile.ts',
  ],
  'a picture or frame of what a variable holds': [
    // A picture in the answer itself (tests/workers/account/calls.test.ts).
    'src/codes/CaptchaField.tsx',
    // https:, in a sandbox.
    'src/features/account/ChatScreen.tsx',
    // From readPicture (tests/domain/core/read.test.ts), here and below.
    'src/features/account/verification/VerificationScreen.tsx',
    'src/features/news/NewsScreen.tsx',
    'src/instruments/columns.ts',
    // What the user has chosen, as a blob:.
    'src/pictures/PictureField.tsx',
    'src/ui/InstrumentMark.tsx',
    'src/ui/SignedImage.tsx',
  ],
  'a window of what a variable holds': [
    // https:, as its reader requires (tests/workers/account/calls.test.ts).
    'src/features/account/UserRows.tsx',
    // A screen of the app, after the # of the page's own address.
    'src/ui/sheetHistory.ts',
  ],
  'a worker or a module of what a variable holds': [
    // By way of the next one, with an address that the build writes into it.
    'src/boot.ts',
    // The only way to `Worker` under Trusted Types (tests/src/trustedTypes.test.ts).
    'src/trustedTypes.ts',
    // Its own rest, at the address that the build has written into src/boot.ts; the page's policy of scripts holds in it.
    'workers/first.worker.ts',
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
