import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Short, so that a throttled process pauses for milliseconds, like a slow core, and not for a
 * frame.
 */
const PERIOD_US = 5000;

/** A group of processes whose CPU can be limited to a share of one core. */
export interface Quota {
  /** Shell command that moves the shell into the group. */
  readonly join: string;
  /** 1 means no limit. */
  set(share: number): void;
  remove(): void;
}

const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

function version(): 1 | 2 | undefined {
  if (existsSync(join(V1, 'cpu.cfs_quota_us'))) return 1;
  const controllers = join(V2, 'cgroup.subtree_control');
  return existsSync(controllers) && /\bcpu\b/.test(readFileSync(controllers, 'utf8'))
    ? 2
    : undefined;
}

/** Undefined where the machine or the user has no such groups. */
export function createQuota(): Quota | undefined {
  const found = version();
  if (!found) return undefined;
  const folder = join(found === 1 ? V1 : V2, `fulcrum-bench-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const procs = join(folder, 'cgroup.procs');
    const quota: Quota = {
      join: `echo $$ > ${procs}`,
      set(share) {
        const limit = share >= 1 ? undefined : Math.round(PERIOD_US * share);
        if (found === 1) {
          writeFileSync(join(folder, 'cpu.cfs_period_us'), `${PERIOD_US}`);
          writeFileSync(join(folder, 'cpu.cfs_quota_us'), `${limit ?? -1}`);
        } else {
          writeFileSync(join(folder, 'cpu.max'), `${limit ?? 'max'} ${PERIOD_US}`);
        }
      },
      remove() {
        try {
          rmdirSync(folder);
        } catch {
          // A process is still ending; the next run uses the same folder.
        }
      },
    };
    quota.set(1);
    return quota;
  } catch {
    return undefined;
  }
}
