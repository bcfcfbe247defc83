import { sourceFiles } from '../../repository/tree';

/** Where domain/api/ describes an object: its indent, its fields and its title, in no fixed order. */
const OBJECTS = [
  /^export interface (?<title>\w+)Row \{\n(?<fields>(?: .*\n|\n)*?)\}/gm,
  /^(?<indent> *)(?:v\.)?object\(\{\n(?<fields>(?:\1 .*\n|\n)*?)\1\}\),\n\1v\.title\('(?<title>\w+)'\)/gm,
];

/** The comments of the fields of each object in domain/api/, by its title and by their names. */
export function fieldMeanings(): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const sources = sourceFiles(['domain/api']);
  const found = OBJECTS.flatMap((pattern) =>
    sources.flatMap(({ text }) =>
      [...text.matchAll(pattern)].map(
        ({ groups: { indent = '', fields = '', title = '' } = {} }) => {
          return [title, meaningsOf(fields, `${indent}  `)] as const;
        },
      ),
    ),
  );
  return new Map(found.filter(([, meanings]) => meanings.length > 0));
}

function meaningsOf(fields: string, indent: string): [string, string][] {
  const comments = new RegExp(`^${indent}/\\*\\*([\\s\\S]*?)\\*/\\n${indent}(\\w+)`, 'gm');
  return [...fields.matchAll(comments)].map(([, comment = '', name = '']) => [
    name,
    comment.replace(/\s*\n\s*\*/g, '').trim(),
  ]);
}
