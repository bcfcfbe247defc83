import { spawn } from 'node:child_process';

/** Runs `npm run desk` as the operator would. */
export function desk(directory: string, args: string[], input = '') {
  const child = spawn(process.execPath, ['scripts/desk.mjs', '--data', directory, ...args]);
  child.stdin.end(input);
  return new Promise<{ code: number | null; out: string }>((resolve) => {
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk;
      });
    }
    child.on('close', (code) => resolve({ code, out: out.trim() }));
  });
}
