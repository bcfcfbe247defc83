import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';

/** Builds a program of `tests/` into the cache, and runs it with the arguments of this process. */
export async function runProgram(name, entry) {
  ensureInstalled();
  const { build } = await import('vite');
  const outDir = join(root, 'node_modules/.cache', name);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: entry,
      outDir,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js` } },
    },
  });
  const args = [join(outDir, `${name}.js`), ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
