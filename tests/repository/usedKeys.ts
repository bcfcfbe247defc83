import { join } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Type } from 'typescript/unstable/sync';
import { root } from './tree';

const PROGRAMS = ['domain', 'workers', 'server', 'src'];
/** `NodeBuilderFlags.NoTruncation` of the compiler. */
const WHOLE = 1;

/**
 * The keys of locales/ that the code names. A key is used where it stands whole in a string,
 * or where the compiler knows the values of a template: `orders.side.${side}` uses a key for
 * each side. A rule of `rules` is used where its key stands by itself, as domain/ writes it.
 * A template with a part that may be any string uses nothing.
 */
export function usedKeys(): Set<string> {
  const used = new Set<string>();
  const api = new API({ cwd: root });
  try {
    const openProjects = PROGRAMS.map((name) => join(root, name, 'tsconfig.json'));
    for (const { configFileName, program, checker } of api
      .updateSnapshot({ openProjects })
      .getProjects()) {
      const folder = configFileName.replace(/tsconfig\.json$/, '');
      for (const name of program.getSourceFileNames()) {
        if (!name.startsWith(folder) || !/\.tsx?$/.test(name)) continue;
        const file = program.getSourceFile(name);
        if (file) for (const text of textsOf(file, checker)) used.add(text);
      }
    }
  } finally {
    api.close();
  }
  return used;
}

/** The values that the strings and templates of a file can have; with `rules.` before them, too. */
function textsOf(file: SourceFile, checker: Checker): string[] {
  const texts: string[] = [];
  const templates: Node[] = [];
  const visit = (node: Node) => {
    // That a key is in the type of keys says nothing about its use.
    if (node.kind === SyntaxKind.LiteralType) return;
    if (
      node.kind === SyntaxKind.StringLiteral ||
      node.kind === SyntaxKind.NoSubstitutionTemplateLiteral
    ) {
      const { text } = node as Node & { text: string };
      texts.push(text, `rules.${text}`);
    }
    if (node.kind === SyntaxKind.TemplateExpression) templates.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  for (const type of templates.length > 0 ? checker.getTypeAtLocation(templates) : []) {
    const values = type ? valuesOf(type, checker) : [];
    // `rules.${key}` can be any rule: it shows what others name.
    texts.push(...values.filter((value) => !value.startsWith('rules.')));
  }
  return texts;
}

/** The members of a union of strings as the compiler writes them: "a" | "b". */
function valuesOf(type: Type, checker: Checker): string[] {
  const text = checker.typeToString(type, undefined, WHOLE);
  return /^"[^"]*"( \| "[^"]*")*$/.test(text) ? text.slice(1, -1).split('" | "') : [];
}
