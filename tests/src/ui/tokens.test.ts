import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../../src');
const tokens = readFileSync(join(src, 'ui/tokens.css'), 'utf8');

const pairs = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m) as [number, number];
  return (x + 0.05) / (y + 0.05);
}

const AA = 4.5;
const AAA = 7;
/** Minimum contrast of controls (WCAG 1.4.11). */
const BOUNDARY = 3;

const WHITE = { light: '#ffffff', dark: '#ffffff' };
const GROUNDS = ['surface', 'surface-raised', 'surface-sunken', 'surface-pressed'];

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  const colour = (name: string) => (name === 'white' ? WHITE : pairs.get(name))?.[theme] ?? '';
  const check = (front: string, backs: string[], least: number) =>
    expect(
      backs.filter((back) => contrast(colour(front), colour(back)) < least),
      front,
    ).toEqual([]);

  test('prices have AAA contrast, also while they flash, with either colour for up', () => {
    check('text', GROUNDS, AAA);
    check('green', GROUNDS, AAA);
    check('red', GROUNDS, AAA);
  });

  test('all other text has AA contrast', () => {
    check('text-muted', GROUNDS, AA);
    check('accent', [...GROUNDS, 'accent-soft'], AA);
    check('green', ['green-soft'], AA);
    check('red', ['red-soft'], AA);
    check('warning', ['surface', 'surface-sunken', 'warning-soft'], AA);
    check('white', ['accent-fill', 'green-fill', 'red-fill'], AA);
  });

  test('controls have a visible edge', () => {
    check('line-strong', ['surface', 'surface-raised'], BOUNDARY);
  });
});

test.each(['ui/ToastHost', 'ui/SwipeRow', 'features/market/grid/HeatMap'])(
  'on the filled ground of %s the focus has the colour of the text',
  (name) => {
    const styles = readFileSync(join(src, `${name}.module.css`), 'utf8');
    expect(styles).toMatch(/:focus-visible[^{}]*\{[^}]*outline[^;]* currentcolor;/);
  },
);

test('layout uses logical properties, so that Arabic is mirrored', () => {
  const physical =
    /(?:^|[;{\s])(?:(?:margin|padding|border)-(?:left|right|top|bottom)|left|right|top|bottom|width|height|(?:min|max)-(?:width|height))\s*:/;
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((name) =>
    readFileSync(join(src, name), 'utf8')
      .replace(/@(?:media|container)[^{]*/g, '')
      .split('\n')
      .filter((line) => physical.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
