import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './install.mjs';

const FOLDER = 'tests/faults';
/** `Found by: FILE` or `Found by: FILE, -t PART OF A TEST'S NAME`. */
const FOUND_BY = /^Found by: (\S+?)(?:, -t (.+))?$/gm;

/**
 * The planted faults: each is a patch below `tests/faults/`, after one line that says what goes wrong for whom, and lines that
 * name the tests which find it.
 */
export function plantedFaults() {
  return readdirSync(join(root, FOLDER)).flatMap((group) =>
    readdirSync(join(root, FOLDER, group))
      .filter((file) => file.endsWith('.patch'))
      .map((file) => {
        const path = `${FOLDER}/${group}/${file}`;
        const text = readFileSync(join(root, path), 'utf8');
        const [preamble = ''] = text.split(/^diff --git /m, 1);
        const tests = [...preamble.matchAll(FOUND_BY)].map(([, test, name]) => ({ test, name }));
        return { group, name: basename(file, '.patch'), path, text, preamble, tests };
      }),
  );
}
