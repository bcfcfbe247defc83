import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

it('deploy/backup.sh keeps the changes since the base that is first by its place, also on another timeline', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-backups-'));
  try {
    const stub = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const label = (file: string) => `START WAL LOCATION: 0/0 (file ${file})`;
    stub(
      'pg_basebackup',
      `mkdir "$4"\necho '${label('000000020000000000000005')}' >"$4/backup_label"`,
    );
    stub('pg_verifybackup', '');
    stub('pg_archivecleanup', `echo "$*" >'${folder}/cleaned'`);
    // The first one is of the timeline that was left by going back.
    const kept = [
      ['2026-01-02T03:15:00Z', '00000001000000000000000A'],
      ['2026-01-03T03:15:00Z', '000000020000000000000004'],
    ] as const;
    for (const [name, file] of kept) {
      mkdirSync(join(folder, 'base', name), { recursive: true });
      writeFileSync(join(folder, 'base', name, 'backup_label'), `${label(file)}\nLABEL: base\n`);
    }
    const path = [folder, process.env['PATH']].join(delimiter);
    const env = { PATH: path, DATABASE_URL: 'postgresql:///', FULCRUM_BACKUPS: folder };
    execFileSync(resolve('deploy/backup.sh'), { env });
    expect(readFileSync(join(folder, 'cleaned'), 'utf8')).toBe(
      `${join(folder, 'wal')} 000000020000000000000004\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
