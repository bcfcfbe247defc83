import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a command prints and how it ends. */
export interface Outcome {
  code: number | null;
  out: string;
}

/** Port and secret of the running server with a data directory. */
export function channelOf(directory: string): { url: string; secret: string } {
  return JSON.parse(readFileSync(join(directory, 'desk.json'), 'utf8'));
}

/** Has the server execute a command, as `npm run desk` does, without a process for each. */
export async function desk(directory: string, args: string[], input = ''): Promise<Outcome> {
  const { url, secret } = channelOf(directory);
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ args, input }),
  });
  const { text } = (await response.json()) as { text: string };
  return { code: response.ok ? 0 : 1, out: text.trim() };
}

/** Runs `npm run desk` as the operator would. */
export function deskTool(directory: string, args: string[], input = ''): Promise<Outcome> {
  const child = spawn(process.execPath, ['scripts/desk.mjs', '--data', directory, ...args]);
  child.stdin.end(input);
  return new Promise((resolve) => {
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk;
      });
    }
    child.on('close', (code) => resolve({ code, out: out.trim() }));
  });
}
