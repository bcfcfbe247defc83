import { expect, test } from 'vitest';
import { sourceFiles } from './tree';

// A declaration with an unknown property is dropped in silence: the text keeps its parent's colour.
test('every custom property that a style reads without a fallback exists', () => {
  const styles = sourceFiles(['src'], /\.css$/);
  const known = new Set(
    sourceFiles(['src'], /\.(css|ts|tsx)$/).flatMap(({ text }) => [
      ...matches(text, /(--[\w-]+):/g),
      ...matches(text, /'(--[\w-]+)'/g),
    ]),
  );
  const unknown = styles.flatMap(({ path, text }) =>
    matches(text, /var\((--[\w-]+)\)/g)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

// An element that comes or goes anywhere below makes the browser ask all ancestors' `:has()` again,
// and styles what hangs on it. In the frame around the list that was the whole page.
test('no frame around rows and figures depends on what it holds', () => {
  const frames =
    /^(boot\.css|app\/|instruments\/InstrumentList|features\/market\/MarketScreen|features\/trading\/TradeScreen|ui\/(base|Page|Screen|ToastHost|Sheet)\.)/;
  const asking = sourceFiles(['src'], /\.css$/)
    .filter(({ path }) => frames.test(path.replace(/^src\//, '')))
    .filter(({ text }) => text.includes(':has('))
    .map(({ path }) => path);
  expect(asking).toEqual([]);
});

// Arabic mirrors the layout, not the charts: what differs at the two sides is told by start and end.
test('no distance is of the left or the right outside of charts', () => {
  const sided = sourceFiles(['src'], /\.css$/)
    .filter(({ path }) => !path.startsWith('src/features/trading/chart/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/([^{}]*)\{([^{}]*)\}/g)]
        .filter(([, selector = '']) => !selector.includes("[dir='rtl']"))
        .flatMap(([, , rule = '']) => matches(rule, /(?:padding|margin|inset):([^;]+);/g))
        .filter((value) => {
          const [, right, , left] =
            value.match(/(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? [];
          return left !== undefined && left !== right;
        })
        .map((value) => `${path}:${value}`),
    );
  expect(sided).toEqual([]);
});

// WebKit ignores it there: what is placed in such a row covers the window.
test('no row of a table is positioned', () => {
  const positioned: string[] = [];
  let rows = 0;
  const styles = new Map(sourceFiles(['src'], /\.css$/).map(({ path, text }) => [path, text]));
  for (const { path, text } of sourceFiles(['src'], /\.tsx$/)) {
    const [file = ''] = matches(text, /import styles from '\.\/([\w.]+)'/g);
    const style = styles.get(path.replace(/[^/]*$/, file)) ?? '';
    for (const name of matches(
      text,
      /<(?:tr|t(?:head|body|foot))\s[^>]*className=\{styles\.(\w+)/g,
    )) {
      rows++;
      if (new RegExp(`\\.${name} \\{[^}]*position: `).test(style))
        positioned.push(`${path}: ${name}`);
    }
  }
  expect(rows).toBeGreaterThan(2);
  expect(positioned).toEqual([]);
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
