import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './tree';

interface Import {
  from: string;
  to: string;
}

const specifier = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

function imports(folders: readonly string[]): Import[] {
  return sourceFiles(folders).flatMap(({ path, text }) =>
    [...text.matchAll(specifier)].map(([, target = '']) => ({
      from: path,
      to: target.startsWith('.')
        ? normalize(join(dirname(path), target)).replaceAll('\\', '/')
        : target.replace(/^#(domain|locales)\//, '$1/'),
    })),
  );
}

const program = (path: string) => path.split('/')[0] ?? '';
const own = ['domain', 'workers', 'src', 'server'];

describe('directions of import (architecture.md)', () => {
  it('domain imports nothing but itself', () => {
    expect(imports(['domain']).filter(({ to }) => program(to) !== 'domain')).toEqual([]);
  });

  it.each(['workers', 'src', 'server'])('%s imports none of the other programs', (name) => {
    const foreign = own.filter((other) => other !== name && other !== 'domain');
    expect(imports([name]).filter(({ to }) => foreign.includes(program(to)))).toEqual([]);
  });

  it('a feature never imports another feature', () => {
    const crossing = imports(['src/features']).filter(({ from, to }) => {
      const [, , feature] = from.split('/');
      return to.startsWith('src/features/') && to.split('/')[2] !== feature;
    });
    expect(crossing).toEqual([]);
  });

  it('only app imports features', () => {
    const others = imports(['src']).filter(
      ({ from, to }) =>
        to.startsWith('src/features/') &&
        !from.startsWith('src/features/') &&
        !from.startsWith('src/app/'),
    );
    expect(others).toEqual([]);
  });

  it('ui knows neither gateway nor session nor app', () => {
    const upward = imports(['src/ui']).filter(({ to }) =>
      /^src\/(app|gateway|session|features)\b/.test(to),
    );
    expect(upward).toEqual([]);
  });
});
