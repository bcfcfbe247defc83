import { parseAst } from 'vite';
import { DATA, type Entry, type Findings, type Tree } from './browserSupport';

interface Node {
  type: string;
  [key: string]: unknown;
}
/** A condition under which a part of the code runs, and those around it. */
interface Guard {
  condition: Node;
  around: Guard | undefined;
}

const GLOBALS: Record<string, readonly string[]> = {
  document: ['Document'],
  navigator: ['Navigator', 'WorkerNavigator'],
  ...Object.fromEntries(
    ['globalThis', 'self', 'window'].map((name) => [name, ['Window', 'WorkerGlobalScope']]),
  ),
};
const { builtins: BUILTINS = {}, regular_expressions: EXPRESSIONS = {} } = DATA.javascript;

/** The build leaves regular expressions as they are. */
const REGULAR_EXPRESSIONS: readonly (readonly [string, RegExp, Entry | undefined])[] = [
  ['(?<=…)', /\(\?<[=!]/, EXPRESSIONS['lookbehind_assertion']],
  ['(?i:…)', /\(\?[a-z-]+:/, EXPRESSIONS['modifier']],
  ['flag d', /\/\w*d\w*$/, BUILTINS['RegExp']?.['hasIndices']],
  ['flag v', /\/\w*v\w*$/, BUILTINS['RegExp']?.['unicodeSets']],
];

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const at = (node: Node, key: string) => node[key] as Node;
function visit(node: unknown, look: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (isNode(node)) look(node);
  for (const child of Object.values(node)) visit(child, look);
}

/** The text of a string, which the build writes as a template. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal')
    return typeof node['value'] === 'string' ? node['value'] : undefined;
  const quasis = node?.['quasis'] as { value: { cooked: string } }[] | undefined;
  return quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** The name of a member or of a key. */
function nameOf(node: Node, key: 'property' | 'key'): string | undefined {
  return node['computed'] ? textOf(at(node, key)) : (at(node, key)['name'] as string | undefined);
}

/** The names that code gives to its own properties and methods: a member of such a name need not be the browser's. */
export function ownNames(code: string): Set<string> {
  const names = new Set<string>();
  visit(parseAst(code), (node) => {
    if (!/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type)) return;
    const name = nameOf(node, 'key') ?? textOf(at(node, 'key'));
    if (name) names.add(name);
  });
  return names;
}

/** The browser's features with this name of a member, whatever they are members of. */
const membersOf = (() => {
  const members = new Map<string, [string, Entry][]>();
  const add = (path: string, owner: Tree) => {
    for (const [name, entry] of Object.entries(owner)) {
      if (name === '__compat' || !entry.__compat) continue;
      members.set(name, [...(members.get(name) ?? []), [`${path}.${name}`, entry]]);
    }
  };
  for (const owners of [DATA.api, BUILTINS, BUILTINS['Intl'] ?? {}])
    for (const [name, owner] of Object.entries(owners)) if (name !== '__compat') add(name, owner);
  return members;
})();

/** Finds what a built script uses of the browser without asking first whether it is there. */
export function scanScript(code: string, own: ReadonlySet<string>, findings: Findings): void {
  const program = parseAst(code) as unknown as Node;
  /** Names that are not the browser's, with what they begin as. */
  const declared = new Map<string, Node | undefined>();
  const declare = (pattern: unknown, value?: unknown) => {
    visit(pattern, ({ type, name }) => {
      if (type !== 'Identifier') return;
      declared.set(name as string, declared.has(name as string) ? undefined : (value as Node));
    });
  };
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator') declare(node['id'], node['init']);
    if (/Function|Class/.test(node.type)) declare(node['id']);
    if (/Function/.test(node.type)) for (const each of node['params'] as Node[]) declare(each);
    if (node.type === 'CatchClause') declare(node['param']);
    if (/^Import.*Specifier$/.test(node.type)) declare(node['local']);
  });

  /** Whether a condition asks for a feature: `'x' in y`, `typeof x`, `y.x`, and not `y.x()`. */
  const asksFor = (condition: Node, name: string, deep = true): boolean => {
    let found = false;
    const called = new Set<unknown>();
    visit(condition, (node) => {
      if (node.type === 'CallExpression' && !node['optional']) called.add(node['callee']);
      if (node.type === 'BinaryExpression' && node['operator'] === 'in')
        found ||= textOf(at(node, 'left')) === name;
      if (node.type === 'UnaryExpression' && node['operator'] === 'typeof')
        found ||= at(node, 'argument')['name'] === name;
      if (node.type === 'MemberExpression' && !called.has(node))
        found ||= nameOf(node, 'property') === name;
      if (node.type === 'Identifier' && deep) {
        const value = declared.get(node['name'] as string);
        found ||= isNode(value) && value !== condition && asksFor(value, name, false);
      }
    });
    return found;
  };
  const guarded = (name: string, guard: Guard | undefined): boolean =>
    guard !== undefined && (asksFor(guard.condition, name) || guarded(name, guard.around));
  const use = (
    name: string,
    features: readonly [string, Entry | undefined][],
    guard: Guard | undefined,
  ) => {
    if (features.length > 0 && !guarded(name, guard)) findings.add(features);
  };

  const identifier = (name: string, guard: Guard | undefined) => {
    if (declared.has(name)) return;
    const trees = [DATA.api, BUILTINS, DATA.api['Window'], DATA.api['WorkerGlobalScope']];
    const features = trees.flatMap((tree = {}): [string, Entry][] =>
      Object.hasOwn(tree, name) ? [[name, tree[name] as Entry]] : [],
    );
    use(name, features, guard);
  };

  const member = (node: Node, guard: Guard | undefined) => {
    const name = nameOf(node, 'property');
    if (!name) return;
    const { type, name: of } = at(node, 'object') as { type: string; name: string };
    const global = type === 'Identifier' && !declared.has(of);
    const owners: [string, Tree | undefined][] = global
      ? [...(GLOBALS[of] ?? []), of].map((each) => [each, DATA.api[each] ?? BUILTINS[each]])
      : [];
    const features = owners.flatMap(([owner, tree]) =>
      [name, `${name}_static`].flatMap((each): [string, Entry][] => {
        const entry = tree && Object.hasOwn(tree, each) ? tree[each] : undefined;
        return entry ? [[`${owner}.${name}`, entry]] : [];
      }),
    );
    if (features.length > 0) return use(name, features, guard);
    if (own.has(name)) return;
    // Who has an object of a younger kind has asked for the kind.
    const known = (membersOf.get(name) ?? []).filter(([path]) => {
      const owner = path.split('.')[0] ?? '';
      return !findings.isYoung(DATA.api[owner] ?? BUILTINS[owner]);
    });
    use(name, known, guard);
  };

  /** `(0, runtime.jsx)('tag', { attribute: … })` */
  const element = (node: Node) => {
    const { callee, arguments: given } = node as unknown as { callee: Node; arguments: Node[] };
    const called = [callee['expressions'] ?? callee].flat().at(-1) as Node;
    const tag = textOf(given[0]);
    if (!tag || called.type !== 'MemberExpression') return;
    if (!/^jsxs?$|^createElement$/.test(nameOf(called, 'property') ?? '')) return;
    const properties = (given[1]?.['properties'] ?? []) as Node[];
    const names = properties.filter(({ type }) => type === 'Property');
    scanElement(
      tag,
      names.map((each) => nameOf(each, 'key') ?? ''),
      findings,
    );
  };

  const expression = (node: Node) => {
    const { pattern, flags } = (node['regex'] ?? {}) as { pattern?: string; flags?: string };
    for (const [feature, sign, entry] of REGULAR_EXPRESSIONS)
      if (sign.test(`/${pattern}/${flags}`)) findings.add([[feature, entry]]);
  };

  const walk = (node: unknown, guard: Guard | undefined): void => {
    if (Array.isArray(node)) {
      let here = guard;
      for (const each of node as Node[]) {
        walk(each, here);
        if (each?.type === 'IfStatement' && leaves(at(each, 'consequent')))
          here = { condition: at(each, 'test'), around: here };
      }
      return;
    }
    if (!isNode(node)) return;
    const { type } = node;
    if (type === 'UnaryExpression' && node['operator'] === 'typeof') return;
    if (type === 'Identifier') identifier(node['name'] as string, guard);
    const condition = conditionOf(node);
    const inside = condition ? { condition, around: guard } : guard;
    if (type === 'MemberExpression') member(node, inside);
    if (type === 'CallExpression') element(node);
    if (node['regex']) expression(node);
    for (const [key, child] of Object.entries(node)) {
      if (node['computed'] || !/^(?:key|property|label|imported|exported|meta)$/.test(key))
        walk(child, inside);
    }
  };
  walk(program, undefined);
}

/** What is asked before a part of an expression or statement is evaluated. */
function conditionOf(node: Node): Node | undefined {
  const { type, operator } = node;
  if (/^(?:If|Conditional|While)/.test(type)) return at(node, 'test');
  if (type === 'LogicalExpression') return at(node, 'left');
  if (type === 'UnaryExpression' && operator === '!') return at(node, 'argument');
  if (type === 'BinaryExpression' && /^[!=]==?$/.test(operator as string)) return node;
  // `x.y?.z` and `x.y?.()` ask for y.
  if (node['optional']) return at(node, type === 'CallExpression' ? 'callee' : 'object');
  return undefined;
}

function leaves(statement: Node): boolean {
  const last =
    statement.type === 'BlockStatement' ? (statement['body'] as Node[]).at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** Finds what an element of HTML, or an attribute of it, asks of the browser. */
export function scanElement(tag: string, attributes: readonly string[], findings: Findings): void {
  const { elements = {}, global_attributes: shared = {} } = DATA.html;
  const element = elements[tag];
  if (!element) return;
  findings.add([[`<${tag}>`, element]]);
  for (const attribute of attributes) {
    const name = attribute.toLowerCase();
    findings.add([[`<${tag} ${name}>`, element[name] ?? shared[name]]]);
  }
}
