// npm run check: format, lint, types and unused code, side by side.
import { spawn } from 'node:child_process';
import { bin, ensureInstalled, root } from './lib/install.mjs';

export async function check() {
  ensureInstalled();
  const results = await Promise.all([
    run('format and lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']),
    run('types', [bin('typescript/bin/tsc'), '-b']),
    run('unused code', [
      bin('knip/bin/knip.js'),
      '--no-progress',
      '--treat-config-hints-as-errors',
    ]),
  ]);
  return results.every(Boolean);
}

function run(name, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
      resolve(code === 0);
    });
  });
}

if (process.argv[1]?.endsWith('check.mjs')) process.exit((await check()) ? 0 : 1);
