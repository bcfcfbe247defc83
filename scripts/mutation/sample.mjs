import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What distinguishes a mutant, whatever its number. */
export function keyOf({ fileName, location: { start, end }, replacement }) {
  const file = relative(process.cwd(), fileName);
  return [file, start.line, start.column, end.line, end.column, replacement].join(' ');
}

/** Leaves out every mutant that was not drawn: as one that does not compile, it counts neither way. */
class Sample {
  static inject = [commonTokens.options];

  constructor({ drawn }) {
    this.drawn = new Set(JSON.parse(readFileSync(drawn, 'utf8')));
  }

  async init() {}

  async check(mutants) {
    const statusOf = (mutant) =>
      this.drawn.has(keyOf(mutant))
        ? { status: 'passed' }
        : { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, statusOf(mutant)]));
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
