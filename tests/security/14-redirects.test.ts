import { expect, it } from 'vitest';
import { loginPath, returnPath } from '../../src/app/navigation';
import { ROUTES } from '../../src/app/routes';

const APP = 'https://app.example';

const ELSEWHERE = [
  'https://evil.example',
  'HTTPS://evil.example',
  '//evil.example',
  '///evil.example',
  // A host of the name of a screen.
  '//trade',
  '///order',
  '/\\\\evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'user@evil.example',
  '@evil.example',
  '/user@evil.example',
  '#//evil.example',
  '/login?from=//evil.example',
  '/trade/../..//evil.example',
  '?from=https://evil.example',
];

it.each(ELSEWHERE)('a login does not return to %j', (from) => {
  for (const search of [`?${new URLSearchParams({ from })}`, `?from=${from}`]) {
    const path = returnPath(search);
    expect(new URL(path, APP).origin).toBe(APP);
    expect(ROUTES.map((route) => route.path)).toContain(path.split('?')[0]);
  }
});

it('returns to every screen of the app', () => {
  for (const { path } of ROUTES) {
    const back = loginPath({ pathname: path, search: '?code=EURUSD' });
    const entrance = /^\/(login|register|forgot)$/.test(path);
    if (!entrance) expect(returnPath(back.slice('/login'.length))).toBe(`${path}?code=EURUSD`);
  }
});
