// npm run load: builds the product and puts it under load; --help lists the options.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildProgram } from './lib/benchBuild.mjs';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { builtCommit } from './lib/builtCommit.mjs';
import { ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const args = process.argv.slice(2);
if (!args.includes('--help') && !args.includes('-h')) buildWhenNeeded();
const against = args.indexOf('--against') + 1;
if (against > 0 && !existsSync(args[against])) args[against] = builtCommit(args[against]);
if (args.includes('--floor')) await buildProgram('bench/load/floor.ts', 'floor');
const program = await buildProgram('bench/load/main.ts', 'load');
const { status } = spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
