import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../helpers/eventually';

/** Programs that write a part of a backup, and then do not succeed. */
const NODE = '#!/bin/sh\necho part >"$3"\n';
const BASE_BACKUP = `#!/bin/sh
mkdir "$4"
echo 'START WAL LOCATION: 0/2000028 (file 000000010000000000000002)' >"$4/backup_label"
`;

describe.each([
  ['backup-one.sh', 'node', NODE, ''],
  ['backup.sh', 'pg_basebackup', BASE_BACKUP, 'base'],
])('deploy/%s', (script, writer, text, below) => {
  let folder: string;
  let backups: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-backups-'));
    backups = join(folder, 'backups');
    for (const made of ['bin', 'backups']) mkdirSync(join(folder, made));
    for (const name of ['pg_verifybackup', 'pg_archivecleanup']) {
      writeFileSync(join(folder, 'bin', name), '#!/bin/sh\n', { mode: 0o755 });
    }
    const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
    env = { PATH: path, DATABASE_URL: 'postgresql:///', FULCRUM_BACKUPS: backups };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const endsWith = (end: string) =>
    writeFileSync(join(folder, 'bin', writer), `${text}${end}\n`, { mode: 0o755 });
  const run = () => execFileSync(resolve('deploy', script), { cwd: folder, env, stdio: 'pipe' });
  const kept = () => readdirSync(join(backups, below));

  it('leaves no part of a backup that failed', () => {
    endsWith('exit 1');
    expect(run).toThrow();
    expect(kept()).toEqual([]);
  });

  it('leaves none where it is ended', async () => {
    endsWith('exec sleep 60');
    // As systemd does it: all of its processes.
    const child = spawn(resolve('deploy', script), { cwd: folder, env, detached: true });
    await eventually(() => expect(kept()).toEqual(['part']));
    process.kill(-(child.pid as number), 'SIGTERM');
    await once(child, 'exit');
    expect(kept()).toEqual([]);
  });

  it('keeps one that succeeded', () => {
    endsWith('exit 0');
    run();
    expect(kept()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT/)]);
  });
});
