import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of one thread, ns, from the scheduler. */
export interface Thread {
  /** Ids of process and thread. */
  key: string;
  pid: number;
  tid: number;
  process: string;
  name: string;
  ns: number;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The thread ended meanwhile.
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The kind of a Chromium process. */
function kindOf(pid: number): string {
  const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const type = /--type=([\w-]+)/.exec(line)?.[1];
  const service = /--utility-sub-type=([\w.]+)/.exec(line)?.[1];
  return service ?? type ?? 'browser';
}

/** A process and all its descendants. */
export function family(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of list('/proc')) {
    const pid = Number(entry);
    if (!pid) continue;
    const stat = read(`/proc/${pid}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    const known = children.get(parent);
    if (known) known.push(pid);
    else children.set(parent, [pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** The threads of several processes. */
export function threadsOf(pids: readonly number[]): Thread[] {
  return pids.flatMap((pid) => {
    const process = kindOf(pid);
    return list(`/proc/${pid}/task`).flatMap((entry) => {
      const schedule = read(`/proc/${pid}/task/${entry}/schedstat`);
      if (!schedule) return [];
      return {
        key: `${pid}/${entry}`,
        pid,
        tid: Number(entry),
        process,
        name: read(`/proc/${pid}/task/${entry}/comm`).trim(),
        ns: Number(schedule.split(' ')[0]),
      };
    });
  });
}

/** CPU of a time window, ms: by role and in total. */
export interface Cpu {
  /** Main thread of the page's renderer. */
  react: number;
  /** Its dedicated workers. */
  worker: number;
  /** Compositor and raster threads of the renderer. */
  compositor: number;
  /** Other threads of the renderer: I/O, garbage collection helpers, pools. */
  renderer: number;
  /** The GPU process, which draws to the screen. */
  display: number;
  /** The network process. */
  network: number;
  /** The browser process and all others. */
  browser: number;
  whole: number;
}

/** The parts of `Cpu`, in the order in which they are drawn. */
export const ROLES = [
  'react',
  'worker',
  'compositor',
  'renderer',
  'display',
  'network',
  'browser',
] as const satisfies (keyof Cpu)[];
export type Role = (typeof ROLES)[number];

export function roleOf(
  thread: Pick<Thread, 'pid' | 'tid' | 'process' | 'name'>,
  page: number,
): Exclude<keyof Cpu, 'whole'> {
  if (thread.pid !== page) {
    if (thread.process === 'gpu-process') return 'display';
    return /network/i.test(thread.process) ? 'network' : 'browser';
  }
  if (thread.tid === thread.pid) return 'react';
  if (/^DedicatedWorker/.test(thread.name)) return 'worker';
  return /^Compositor/.test(thread.name) ? 'compositor' : 'renderer';
}

/** CPU between two readings; `page` is the renderer of the page. */
export function spent(before: readonly Thread[], after: readonly Thread[], page: number): Cpu {
  const begin = new Map(before.map(({ key, ns }) => [key, ns]));
  const cpu: Cpu = {
    react: 0,
    worker: 0,
    compositor: 0,
    renderer: 0,
    display: 0,
    network: 0,
    browser: 0,
    whole: 0,
  };
  for (const thread of after) {
    const ms = (thread.ns - (begin.get(thread.key) ?? 0)) / 1e6;
    cpu[roleOf(thread, page)] += ms;
    cpu.whole += ms;
  }
  return cpu;
}
