import { type SourceFile, sourceFiles } from './tree';

export const PROGRAMS = ['domain', 'workers', 'src', 'server', 'scripts', 'bench', 'tests'];

const exported =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Names that a file exports where they are declared. */
export function namesOf({ text }: SourceFile): string[] {
  return [...text.matchAll(exported)].map(([, name = '']) => name);
}

/** Every exported name of the code. */
export function exportedNames(): Set<string> {
  return new Set(sourceFiles(PROGRAMS, /\.(ts|tsx|mjs)$/).flatMap(namesOf));
}
