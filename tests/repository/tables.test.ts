import { expect, test } from 'vitest';
import { sourceFiles } from './tree';

const PART = '(?:tr|thead|tbody|tfoot)';

// WebKit gives these parts of a table no box to place things in: what is placed in a row covers the window.
test('no row and no group of rows of a table is what something is placed in', () => {
  const styles = sourceFiles(['src'], /\.css$/);
  const placing = styles.flatMap(({ path, text }) =>
    placingSubjects(text).map((subject) => ({ path, subject })),
  );
  const classes = new Set(
    sourceFiles(['src'], /\.tsx$/).flatMap(({ path, text }) => classesOfParts(path, text)),
  );
  expect(classes).not.toEqual(new Set());
  const part = new RegExp(`^${PART}\\b|\\(.*\\b${PART}\\b`);
  const found = placing.filter(
    ({ path, subject }) =>
      part.test(subject) ||
      [...subject.matchAll(/\.([\w-]+)/g)].some(([, name]) => classes.has(`${path} ${name}`)),
  );
  expect(found).toEqual([]);
});

/** The last part of each selector of a rule that makes its element the one that others are placed in. */
function placingSubjects(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{([^{}]*)\}/g);
  return [...rules]
    .filter(([, , body = '']) => /\bposition:\s*(relative|sticky)/.test(body))
    .flatMap(([, selectors = '']) => selectors.split(/,(?![^()]*\))/))
    .map((selector) => selector.trim().replace(/.*[\s>+~](?![^()]*\))/s, ''));
}

/** The classes that a component's rows and groups of rows have, each as `style sheet class`. */
function classesOfParts(path: string, text: string): string[] {
  const folder = path.replace(/[^/]*$/, '');
  const sheets = new Map(
    [...text.matchAll(/import (\w+) from '\.\/(\w+\.module\.css)'/g)].map(([, name, file]) => [
      name,
      folder + file,
    ]),
  );
  const tags = text.matchAll(new RegExp(`<${PART}\\b(?:=>|[^>])*?className=\\{([^}]*)\\}`, 'g'));
  return [...tags].flatMap(([, names = '']) =>
    [...names.matchAll(/(\w+)\.(\w+)/g)].map(([, sheet, name]) => `${sheets.get(sheet)} ${name}`),
  );
}
