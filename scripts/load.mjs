// npm run load [-- OPTIONS]: builds the product and puts it under load; bench/load/main.ts tells the options.
import { spawnSync } from 'node:child_process';
import { buildProgram } from './lib/benchBuild.mjs';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
buildWhenNeeded();
const program = await buildProgram('bench/load/main.ts', 'load');
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
