import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareDataDirectory, UnusableDirectory } from '../../../server/config/dataDirectory';
import { notOnWindows, onlyOnLinux } from '../../helpers/installed';
import { unless } from '../../helpers/unless';
import { dataDirectory } from '../support/dataDirectory';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

unless(describe, notOnWindows)('the data directory', () => {
  it('is created for its user alone, with the directories above it', async () => {
    const directory = join(dataDirectory(), 'of/fulcrum');
    await prepareDataDirectory(directory);
    await prepareDataDirectory(directory);
    expect(mode(directory)).toBe('700');
    expect(mode(join(directory, '..'))).toBe('700');
  });

  it('is made private where it exists, with the files of the server in it', async () => {
    const directory = dataDirectory();
    chmodSync(directory, 0o755);
    for (const folder of ['pglite', 'pglite/base', 'uploads', 'mine']) {
      mkdirSync(join(directory, folder));
      chmodSync(join(directory, folder), 0o755);
    }
    const files = [
      'pglite/PG_VERSION',
      'pglite/base/1',
      'uploads/a',
      'secret',
      'desk.json',
      'lock',
    ];
    for (const file of [...files, 'mine/notes']) {
      writeFileSync(join(directory, file), '');
      chmodSync(join(directory, file), 0o666);
    }
    await prepareDataDirectory(directory);
    for (const folder of ['', 'pglite', 'pglite/base', 'uploads']) {
      expect(mode(join(directory, folder)), folder).toBe('700');
    }
    for (const file of files) expect(mode(join(directory, file)), file).toBe('600');
    expect([mode(join(directory, 'mine')), mode(join(directory, 'mine/notes'))]).toEqual([
      '755',
      '666',
    ]);
    expect(readdirSync(directory)).toHaveLength(6);
  });

  it('is refused if it is a file or below one', async () => {
    const file = join(dataDirectory(), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    for (const directory of [file, join(file, 'data')]) {
      const refused = prepareDataDirectory(directory);
      await expect(refused).rejects.toThrow(UnusableDirectory);
      await expect(refused).rejects.toThrow(`${directory} can't be used: E`);
    }
    expect(mode(file)).toBe('644');
  });

  unless(it, process.getuid?.() === 0 ? undefined : 'only root can become another user')(
    'below one of another user is suggested where that may be written, and can be used',
    async () => {
      const directory = join(tmpdir(), `fulcrum-group-${process.pid}`);
      mkdirSync(directory);
      chmodSync(directory, 0o777);
      const below = join(directory, 'fulcrum');
      try {
        process.seteuid?.(65_534);
        await expect(prepareDataDirectory(directory)).rejects.toThrow(
          `${directory} belongs to another user. Use a folder below it: --data ${below}`,
        );
        await prepareDataDirectory(below);
      } finally {
        process.seteuid?.(0);
      }
      expect(mode(below)).toBe('700');
      rmSync(directory, { recursive: true });
    },
  );

  unless(it, process.getuid?.() === 0 ? undefined : 'only root can become another user')(
    'names what another user has put into it, as a restore by root does',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'fulcrum-own-'));
      const restored = join(directory, 'pglite');
      mkdirSync(restored, { mode: 0o700 });
      chownSync(directory, 65_534, 65_534);
      try {
        process.seteuid?.(65_534);
        await expect(prepareDataDirectory(directory)).rejects.toThrow(
          `${restored} belongs to another user. Give it to the server's: chown -R 65534 ${restored}`,
        );
      } finally {
        process.seteuid?.(0);
      }
      rmSync(directory, { recursive: true });
    },
  );

  unless(it, onlyOnLinux)('is refused where no directory can be created', async () => {
    await expect(prepareDataDirectory('/proc/nope')).rejects.toThrow(
      "The data directory /proc/nope can't be used: ENOENT. Choose another one with --data.",
    );
  });
});
