import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './tree';

// Neither is an error anywhere else: a rule of an unused class is dead, and a class without a rule is none.
test('each class of a CSS module is used, and each class that is used has a rule', () => {
  const rules = new Map(
    sourceFiles(['src'], /\.module\.css$/).map(({ path, text }) => [path, classesOf(text)]),
  );
  const uses = new Map([...rules.keys()].map((path) => [path, new Set<string>()]));
  const unruled: string[] = [];
  for (const { path, text } of sourceFiles(['src'])) {
    for (const [line, name, from = ''] of text.matchAll(/import (\w+) from '(.*\.module\.css)'/g)) {
      const file = join(dirname(path), from).replaceAll('\\', '/');
      const code = text.replace(line, '');
      for (const [, used = ''] of code.matchAll(new RegExp(`(?<![\\w.])${name}\\.(\\w+)`, 'g'))) {
        uses.get(file)?.add(used);
        if (!rules.get(file)?.has(used)) unruled.push(`${path}: ${used}`);
      }
      // `styles[variant]` uses all.
      if (code.includes(`${name}[`)) uses.set(file, rules.get(file) ?? new Set());
    }
  }
  const unused = [...rules].flatMap(([path, names]) =>
    [...names].filter((name) => !uses.get(path)?.has(name)).map((name) => `${path}: ${name}`),
  );
  expect(rules.size).toBeGreaterThan(50);
  expect({ unused, unruled }).toEqual({ unused: [], unruled: [] });
});

/** The classes that the selectors of a module name, without global ones. */
function classesOf(css: string): Set<string> {
  const bare = css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/:global\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/'[^']*'/g, '');
  const selectors = [...bare.matchAll(/([^{};]*)\{/g)].map(([, selector = '']) => selector);
  return new Set(
    [...selectors.join(' ').matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
  );
}
