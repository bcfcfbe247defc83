import { sourceFiles } from '../../repository/tree';

/** The comments of the fields of each object in domain/api/, by its title and by their names. */
export function fieldMeanings(): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const objects = /^( *)v\.object\(\{\n((?:\1 .*\n|\n)*?)\1\}\),\n\1v\.title\('(\w+)'\)/gm;
  const found = sourceFiles(['domain/api']).flatMap(({ text }) =>
    [...text.matchAll(objects)].map(
      ([, indent = '', fields = '', title = '']) =>
        [title, meaningsOf(fields, `${indent}  `)] as const,
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
