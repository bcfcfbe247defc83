import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { toDurationMs } from '#domain/core/time';

/** Another running process uses the data directory. */
export class DirectoryInUse extends Error {
  constructor(directory: string, pid: number, elsewhere: boolean) {
    super(
      [
        `The data directory ${directory} is in use by process ${pid}. Stop it first, or choose another directory with --data.`,
        ...(elsewhere ? ['If its container was killed, try again in a minute.'] : []),
      ].join(' '),
    );
    this.name = 'DirectoryInUse';
  }
}

/** This process was stopped for longer than its lock of the data directory lasts, and another one uses it. */
export class DirectoryLost extends Error {
  constructor(directory: string) {
    super(
      `This process was stopped for too long: another one uses the data directory ${directory} by now.`,
    );
    this.name = 'DirectoryLost';
  }
}

/** The system reuses process ids; id and start time together identify one process of a namespace. */
interface Holder {
  pid: number;
  started: string;
  /** Each container has its own; empty where the system has none. */
  namespace: string;
}

/** A lock that is renewed is held, whatever its holder's id means here. */
const RENEWED_EVERY_MS = toDurationMs(5_000);
const EXPIRES_MS = toDurationMs(60_000);
const GUARD_EXPIRES_MS = toDurationMs(10_000);

/**
 * Takes the data directory for this process, because PGlite itself lets two processes write to the
 * same files. A lock whose process has ended is taken over; a process that has lost it ends with DirectoryLost. Returns a function that
 * releases it. Throws DirectoryInUse.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const lock = join(directory, 'lock');
  const guard = join(directory, 'lock.takeover');
  const mine: Holder = {
    pid: process.pid,
    started: processStart(process.pid) ?? '',
    namespace: processNamespace(),
  };
  const isHeld = (holder: Holder) =>
    isElsewhere(holder, mine) ? age(lock) < EXPIRES_MS : isAlive(holder);
  const draft = join(directory, `lock.${randomUUID()}`);
  // Write to another name and link, so that nobody reads a half-written lock.
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (;;) {
      if (tryLink(draft, lock)) break;
      const holder = readHolder(lock);
      if (holder === 'none') continue;
      if (holder !== 'unreadable' && isHeld(holder))
        throw new DirectoryInUse(directory, holder.pid, isElsewhere(holder, mine));
      // Only one process may replace a dead lock; a second one would replace the new lock of the
      // first.
      if (tryLink(draft, guard)) {
        try {
          const now = readHolder(lock);
          if (now !== 'none' && (now === 'unreadable' || !isHeld(now))) renameSync(draft, lock);
          else continue;
        } finally {
          rmSync(guard, { force: true });
        }
        break;
      }
      if (age(guard) > GUARD_EXPIRES_MS) rmSync(guard, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const isLost = () => {
    const holder = readHolder(lock);
    return typeof holder === 'object' && JSON.stringify(holder) !== JSON.stringify(mine);
  };
  const renew = () => {
    // A process that was stopped for so long that its lock has expired must not write beside the next holder.
    if (isLost()) throw new DirectoryLost(directory);
    utimes(lock, new Date(), new Date(), () => {});
  };
  const renewing = setInterval(renew, RENEWED_EVERY_MS).unref();
  const release = () => {
    process.off('exit', release);
    clearInterval(renewing);
    if (!isLost()) rmSync(lock, { force: true });
  };
  process.on('exit', release);
  return release;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(lock: string): Holder | 'none' | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isSafeInteger(holder.pid) && holder.pid > 0 ? holder : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Whether the holder runs in another container of this machine, where ids are those of other processes. */
function isElsewhere(holder: Holder, mine: Holder): boolean {
  const boot = ({ started }: Holder) => started.split(' ')[0];
  return (
    Boolean(holder.namespace && mine.namespace) &&
    holder.namespace !== mine.namespace &&
    boot(holder) === boot(mine)
  );
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = processStart(pid);
  // Where start times are unknown, a running process with this id counts as the holder.
  return start === undefined || !started || start === started;
}

/** The start time of a process; undefined where the system does not provide it. */
function processStart(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the command in brackets and may contain anything; the 22nd is the start
      // time.
      return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    }
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function age(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
