// npm run conformance -- --url URL: asks a server of docs/protocol.md whether it does what the page says; --help lists the options.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const { build } = await import('vite');
const outDir = join(root, 'node_modules/.cache/conformance');
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: 'tests/conformance/main.ts',
    outDir,
    copyPublicDir: false,
    rolldownOptions: { output: { entryFileNames: 'conformance.js' } },
  },
});
const args = [join(outDir, 'conformance.js'), ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
