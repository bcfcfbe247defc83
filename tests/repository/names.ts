import { type SourceFile, sourceFiles } from './tree';

export const PROGRAMS = ['domain', 'workers', 'src', 'server', 'scripts', 'bench', 'tests'];

const exported =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Names that a file exports where they are declared. */
function namesOf({ text }: SourceFile): string[] {
  return [...text.matchAll(exported)].map(([, name = '']) => name);
}

/** Every exported name of the code. */
export function exportedNames(): Set<string> {
  return new Set(sourceFiles(PROGRAMS, /\.(ts|tsx|mjs)$/).flatMap(namesOf));
}

/** GitHub's slugs of a page's headings; of equal ones the second ends in -1. */
export function slugsOf(markdown: string): Set<string> {
  const slugs = new Set<string>();
  const plain = markdown.replace(/^```[\s\S]*?^```/gm, '');
  for (const [, heading = ''] of plain.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let unique = slug;
    for (let i = 1; slugs.has(unique); i++) unique = `${slug}-${i}`;
    slugs.add(unique);
  }
  return slugs;
}
