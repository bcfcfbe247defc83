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

/** Has the server execute a command, as `npm run admin` does, without a process for each and without a terminal. */
export async function admin(
  directory: string,
  words: string[],
  input = '',
  operator = 'test',
): Promise<Outcome> {
  const { url, secret } = channelOf(directory);
  const args = words.filter((word) => word !== '--confirm');
  const confirmed = args.length < words.length;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ args, input, operator, confirmed }),
  });
  const { text } = (await response.json()) as { text: string };
  return { code: { 200: 0, 409: 2 }[response.status] ?? 1, out: text.trim() };
}

/** Runs `npm run admin` as the operator would, without a terminal. What it prints has to be on the stream of its exit code. */
export function adminTool(directory: string, args: string[], input = ''): Promise<Outcome> {
  const child = spawn(process.execPath, ['scripts/admin.mjs', '--data', directory, ...args]);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].on('data', (chunk) => {
        printed[stream] += chunk;
      });
    }
    child.on('close', (code) => {
      const [out, other] = code === 0 ? ['stdout', 'stderr'] : ['stderr', 'stdout'];
      const { [out as 'stdout']: said, [other as 'stderr']: wrong } = printed;
      if (wrong) reject(new Error(`on ${other}: ${wrong}`));
      else resolve({ code, out: said.trim() });
    });
  });
}
