import postcss, { type AtRule, type Container, type Declaration } from 'postcss';
import { DATA, type Entry, type Findings, type Tree } from './browserSupport';

const { properties = {}, selectors = {}, types = {}, 'at-rules': atRules = {} } = DATA.css;

/** Functions of values, as `light-dark`, wherever they are in the data. */
const FUNCTIONS = new Map<string, Entry>();
const collect = (tree: Tree) => {
  const branches = Object.entries(tree).filter(([name]) => name !== '__compat');
  // `round()` is a function, and a word in another one.
  for (const [name, branch] of branches) if (!FUNCTIONS.has(name)) FUNCTIONS.set(name, branch);
  for (const [, branch] of branches) collect(branch);
};
collect(types);

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^d(?:v[hwib]|vmin|vmax)$/, 'viewport_percentage_units_dynamic'],
  [/^s(?:v[hwib]|vmin|vmax)$/, 'viewport_percentage_units_small'],
  [/^l(?:v[hwib]|vmin|vmax)$/, 'viewport_percentage_units_large'],
  [/^cq(?:[whib]|min|max)$/, 'container_query_length_units'],
];

/** Finds what a built style sheet asks of the browser without a fallback. */
export function scanStyle(css: string, findings: Findings): void {
  const root = postcss.parse(css);
  const supported = (node: Declaration | AtRule, name: string): boolean => {
    for (let around: Container | undefined = node.parent as Container; around; ) {
      if (around.type === 'atrule' && (around as AtRule).name === 'supports')
        if ((around as AtRule).params.includes(name.replace('()', '('))) return true;
      around = around.parent as Container | undefined;
    }
    return false;
  };

  root.walkDecls((declaration) => {
    const { prop, value } = declaration;
    const property = Object.hasOwn(properties, prop) ? properties[prop] : undefined;
    if (prop.startsWith('-') && !prop.startsWith('--')) return;
    const siblings = declaration.parent?.nodes ?? [];
    const before = siblings.slice(0, siblings.indexOf(declaration));
    // An older browser takes the value before, or the property with its own prefix.
    const hasFallback =
      // A value with a variable counts as valid until it is used.
      !value.includes('var(') && before.some((each) => each.type === 'decl' && each.prop === prop);
    const isPrefixed = siblings.some(
      (each) =>
        each.type === 'decl' &&
        /^-(?:webkit|moz)-/.test(each.prop) &&
        each.prop.endsWith(`-${prop}`),
    );
    const add = (name: string, entry: Entry | undefined) => {
      if (!supported(declaration, name)) findings.add([[name, entry]]);
    };
    if (isPrefixed) return;
    add(prop, property);
    if (hasFallback) return;
    for (const [, word = '', bracket] of value.matchAll(/(?<![\w#.-])([a-z][\w-]*)(\()?/gi)) {
      if (bracket) add(`${word}()`, FUNCTIONS.get(word));
      if (property && Object.hasOwn(property, word)) add(`${prop}: ${word}`, property[word]);
    }
    for (const [, unit = ''] of value.matchAll(/\d([a-z]+)\b/g)) {
      const group = UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? unit;
      add(unit, types['length']?.[group]);
    }
  });

  root.walkRules(({ selector, parent }) => {
    if ((parent as AtRule | undefined)?.name === 'keyframes') return;
    for (const [pseudo, name = ''] of selector.matchAll(/::?([a-z][\w-]*)/g))
      findings.add([[pseudo, Object.hasOwn(selectors, name) ? selectors[name] : undefined]]);
  });

  root.walkAtRules((rule) => {
    const { name, params } = rule;
    if (name.startsWith('-')) return;
    const tree = Object.hasOwn(atRules, name) ? atRules[name] : undefined;
    findings.add([[`@${name}`, tree]]);
    if (name !== 'media') return;
    for (const [, feature = ''] of params.matchAll(/\(\s*([a-z-]+)/g))
      findings.add([[`@media (${feature})`, tree?.[feature.replace(/^(?:min|max)-/, '')]]]);
    if (/[<>]/.test(params)) findings.add([['@media (width >= …)', tree?.['range_syntax']]]);
  });
}
