// npm run bench: installs the peers, bundles the benchmarks, runs them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, npm, root } from './lib/install.mjs';

ensureInstalled();
if (!existsSync(join(root, 'bench/node_modules'))) {
  npm(['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel=error']);
}
const vite = await import('vite');
await vite.build({
  root,
  logLevel: 'warn',
  // bench/ is a package of its own, and so has not the root's #domain.
  resolve: { alias: [{ find: /^#domain\/(.*)$/, replacement: `${join(root, 'domain')}/$1.ts` }] },
  build: {
    ssr: 'bench/main.ts',
    // Inside bench/, where Node finds the peers.
    outDir: 'bench/node_modules/.build',
    manifest: false,
    copyPublicDir: false,
    emptyOutDir: true,
    rolldownOptions: {
      // The peers run as they are published.
      external: Object.keys(
        JSON.parse(readFileSync(join(root, 'bench/package.json'))).dependencies,
      ),
      output: { entryFileNames: 'main.js' },
    },
  },
});
const result = spawnSync(
  process.execPath,
  [join(root, 'bench/node_modules/.build/main.js'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(result.status ?? 1);
