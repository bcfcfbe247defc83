import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 10_000;

/** A group of processes held to so many cores; `join` is the shell command that puts the shell into it. */
export function createQuota(cores) {
  const limit = Math.round(PERIOD_US * cores);
  const v1 = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us');
  const group = join(v1 ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup', `fulcrum-flaky-${process.pid}`);
  mkdirSync(group);
  if (v1) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), `${PERIOD_US}`);
    writeFileSync(join(group, 'cpu.cfs_quota_us'), `${limit}`);
  } else {
    writeFileSync(join(group, 'cpu.max'), `${limit} ${PERIOD_US}`);
  }
  return {
    join: `echo $$ > ${join(group, 'cgroup.procs')}`,
    remove() {
      try {
        rmdirSync(group);
      } catch {
        // A process of it is still ending; an empty group costs nothing.
      }
    },
  };
}
