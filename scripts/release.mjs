// npm run release [-- --untagged]: builds the tagged commit into release/: an archive for linux-x64 that needs only Node, the list of its
// packages (CycloneDX), and checksums of both (docs/operations.md#one-server).
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, ensurePackages, root } from './lib/install.mjs';
import { makeArchive } from './lib/releaseArchive.mjs';

if (process.platform !== 'linux' || process.arch !== 'x64') stop('A release is made on linux-x64.');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const untagged = process.argv.includes('--untagged');
const commit = git('rev-parse', '--short=12', 'HEAD');
if (!untagged) {
  if (git('status', '--porcelain') !== '')
    stop('The release is that of a commit: commit or remove what has changed.');
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    stop(
      `This commit has no tag v${version}: npm version makes one. --untagged makes an archive to try.`,
    );
}

ensureInstalled();
const folder = join(root, 'release');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
await build({ force: !untagged });
const name = `fulcrum-${version}${untagged ? `-${commit}` : ''}-linux-x64`;
const sbom = join(folder, `${name}.cdx.json`);
listPackages(sbom);
const archive = makeArchive(name, folder, { 'sbom.cdx.json': sbom });
const sums = [archive, sbom].map((file) => {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${sum}  ${basename(file)}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
console.log(`In release/, with SHA256SUMS:\n${sums.join('')}`);

/** Writes the packages of page and server as CycloneDX. Those for development are in neither. */
function listPackages(file) {
  // Its optional packages would compile a validator of XML.
  ensurePackages('scripts/sbom', '--omit=optional');
  const tool = join(
    root,
    'scripts/sbom/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js',
  );
  const options = [
    '--omit',
    'dev',
    '--mc-type',
    'application',
    '--output-reproducible',
    '--no-validate',
  ];
  const { status } = spawnSync(process.execPath, [tool, ...options, '--output-file', file], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) stop('The packages could not be listed.');
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function stop(reason) {
  console.error(reason);
  process.exit(1);
}
