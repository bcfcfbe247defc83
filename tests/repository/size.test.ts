import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { root } from './tree';

const client = join(root, 'dist/client');
const KB = 1000;

interface Chunk {
  file: string;
  src?: string;
  imports?: string[];
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(join(client, file)), { level: 9 }).length;
}

/** What the chunk and all that it imports weigh, each file once. */
function reach(manifest: Record<string, Chunk>, key: string, into: Set<string>): Set<string> {
  const chunk = manifest[key];
  if (!chunk || into.has(chunk.file)) return into;
  into.add(chunk.file);
  for (const next of chunk.imports ?? []) reach(manifest, next, into);
  return into;
}

describe('sizes of the build (architecture.md#build)', () => {
  it('has a build to weigh: npm run build', () => {
    expect(existsSync(join(client, '.vite/manifest.json'))).toBe(true);
  });

  it('puts at most 125 KB of JavaScript on the React thread of /', () => {
    const manifest = JSON.parse(
      readFileSync(join(client, '.vite/manifest.json'), 'utf8'),
    ) as Record<string, Chunk>;
    const files = new Set<string>();
    // The page starts the worker, and then mounts the app with its first screen.
    for (const key of ['index.html', 'src/app/mount.tsx']) reach(manifest, key, files);
    expect(files.size).toBeGreaterThan(1);
    const sizes = [...files].map((file) => [file, gzipped(file)] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(125 * KB);
  });

  it('puts at most 45 KB into the worker', () => {
    const workers = readdirSync(join(client, 'assets')).filter((name) =>
      /^gateway\.worker-.*\.js$/.test(name),
    );
    expect(workers).toHaveLength(1);
    for (const name of workers) {
      expect(gzipped(join('assets', name))).toBeLessThanOrEqual(45 * KB);
    }
  });
});
