import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { DirectoryInUse, DirectoryLost, lockDirectory } from '../../../server/db/lock';
import { openDatabase } from '../../../server/db/open';
import { eventually } from '../../helpers/eventually';
import { onlyOnLinux } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fulcrum-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lock = () => join(directory, 'lock');

/** Makes the lock one that nobody renews; returns its time. */
function expireLock(): number {
  const expired = new Date(Date.now() - 3_600_000);
  utimesSync(lock(), expired, expired);
  return statSync(lock()).mtimeMs;
}

async function withProcess(use: (pid: number) => Promise<void>): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  try {
    await use(pid);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  return pid;
}

describe('the lock of a data directory', () => {
  it('refuses a second holder and names the first', async () => {
    const release = await lockDirectory(directory);
    const second = lockDirectory(directory);
    await expect(second).rejects.toThrow(DirectoryInUse);
    await expect(second).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
    release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is refused while another process lives, and taken over once it is dead', async () => {
    const dead = await withProcess(async (pid) => {
      writeFileSync(lock(), JSON.stringify({ pid, started: '' }));
      await expect(lockDirectory(directory)).rejects.toThrow(`process ${pid}`);
    });
    expect(JSON.parse(readFileSync(lock(), 'utf8')).pid).toBe(dead);
    const release = await lockDirectory(directory);
    expect(JSON.parse(readFileSync(lock(), 'utf8')).pid).toBe(process.pid);
    release();
  });

  unless(it, onlyOnLinux)('is taken over if its pid now belongs to another process', async () => {
    await withProcess(async (pid) => {
      writeFileSync(lock(), JSON.stringify({ pid, started: 'an earlier boot 12' }));
      (await lockDirectory(directory))();
    });
  });

  unless(it, onlyOnLinux)('of another container counts as long as it is renewed', async () => {
    const release = await lockDirectory(directory);
    const { started, ...own } = JSON.parse(readFileSync(lock(), 'utf8'));
    release();
    const [boot] = started.split(' ');
    // Its id is that of this process here.
    const elsewhere = { ...own, started: `${boot} 12`, namespace: 'pid:[1]' };
    writeFileSync(lock(), JSON.stringify(elsewhere));
    await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUse);
    expireLock();
    (await lockDirectory(directory))();
  });

  it('is renewed while it is held', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const release = await lockDirectory(directory);
      const expired = expireLock();
      vi.advanceTimersToNextTimer();
      await eventually(() => expect(statSync(lock()).mtimeMs).toBeGreaterThan(expired));
      release();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is neither renewed nor removed by a process that has lost it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const release = await lockDirectory(directory);
      const next = JSON.stringify({ pid: 12, started: '', namespace: 'pid:[1]' });
      writeFileSync(lock(), next);
      expect(() => vi.advanceTimersToNextTimer()).toThrow(DirectoryLost);
      release();
      expect(readFileSync(lock(), 'utf8')).toBe(next);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['', '{', '{"pid":"x"}', 'null'])(
    'takes over a lock without content: %j',
    async (text) => {
      writeFileSync(lock(), text);
      (await lockDirectory(directory))();
    },
  );

  it('is taken over by one of many processes if it is abandoned', async () => {
    writeFileSync(lock(), JSON.stringify({ pid: 2 ** 30, started: '' }));
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockDirectory(directory)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'fulfilled') result.value();
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('the embedded database', () => {
  inTurn(it)('keeps its rows over restarts, and locks its directory', async () => {
    cpSync(inject('emptyDirectory'), directory, { recursive: true });
    const first = await openDatabase({ directory });
    await first.db.execute(sql`create table note (body text)`);
    await first.db.execute(sql`insert into note values ('kept')`);
    await expect(openDatabase({ directory })).rejects.toThrow(DirectoryInUse);
    await first.close();
    expect(existsSync(lock())).toBe(false);

    const second = await openDatabase({ directory });
    expect((await second.db.execute(sql`select body from note`)).rows).toEqual([{ body: 'kept' }]);
    await second.close();
  });
});
