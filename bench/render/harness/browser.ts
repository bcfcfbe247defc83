import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Cdp, Target } from './cdp';
import type { Quota } from './quota';
import { family, type Thread, threadsOf } from './threads';

const FLAGS = [
  '--headless',
  '--remote-debugging-port=0',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
  '--mute-audio',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
];

/** The core of the feed and of this process; the browser has the others. */
export const FEED_CORE = availableParallelism() - 1;

/**
 * The command that restricts a process to some cores; empty where there is none or only one core.
 */
export function pinned(cores: string): string[] {
  return process.platform === 'linux' && FEED_CORE > 0 ? ['taskset', '-c', cores] : [];
}

const BROWSER_CORES = FEED_CORE > 1 ? `0-${FEED_CORE - 1}` : '0';

const running = new Set<ChildProcess>();
// Interrupting the driver ends its browser too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => {
  for (const child of running) kill(child);
});

function kill(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** A new browser with a new profile and one page. */
export class Browser {
  readonly cdp: Cdp;
  readonly page: Target;
  readonly #child: ChildProcess;
  readonly #profile: string;

  private constructor(child: ChildProcess, profile: string, cdp: Cdp, page: Target) {
    this.#child = child;
    this.#profile = profile;
    this.cdp = cdp;
    this.page = page;
  }

  /** Launches the browser once. */
  static async version(executable: string): Promise<string> {
    const browser = await Browser.launch(executable, undefined);
    const version = await browser.version();
    await browser.close();
    return version;
  }

  static async launch(
    executable: string,
    quota: Quota | undefined,
    flags: readonly string[] = [],
  ): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'fulcrum-bench-'));
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const command = [...pinned(BROWSER_CORES), executable, ...root, ...FLAGS, ...flags];
    const script = `${quota ? `${quota.join} && ` : ''}exec "$@"`;
    const child = spawn(
      'sh',
      ['-c', script, 'sh', ...command, `--user-data-dir=${profile}`, 'about:blank'],
      { stdio: 'ignore', detached: true },
    );
    running.add(child);
    try {
      const url = await address(child, profile);
      const cdp = await Cdp.connect(url);
      const { targetInfos } = (await cdp.send('Target.getTargets')) as {
        targetInfos: { targetId: string; type: string }[];
      };
      const first = targetInfos.find(({ type }) => type === 'page');
      if (!first) throw new Error('the browser has no page');
      const { sessionId } = await cdp.send('Target.attachToTarget', {
        targetId: first.targetId,
        flatten: true,
      });
      return new Browser(child, profile, cdp, new Target(cdp, String(sessionId)));
    } catch (error) {
      await end(child, profile);
      throw error;
    }
  }

  threads(): Thread[] {
    return threadsOf(family(this.#child.pid ?? 0));
  }

  /** The renderer of the page: the process whose main thread works when the page runs a script. */
  async pageProcess(): Promise<number> {
    const before = new Map(this.threads().map(({ key, ns }) => [key, ns]));
    await this.page.evaluate(
      'for (const end = performance.now() + 30; performance.now() < end; );',
    );
    const [main] = this.threads()
      .filter(({ process, pid, tid }) => process === 'renderer' && pid === tid)
      .map(({ pid, key, ns }) => ({ pid, worked: ns - (before.get(key) ?? 0) }))
      .sort((a, b) => b.worked - a.worked);
    if (!main) throw new Error('the page has no process');
    return main.pid;
  }

  async version(): Promise<string> {
    return String((await this.cdp.send('Browser.getVersion'))['product']);
  }

  async close(): Promise<void> {
    this.cdp.close();
    await end(this.#child, this.#profile);
  }
}

async function address(child: ChildProcess, profile: string): Promise<string> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
      if (port && path) return `ws://127.0.0.1:${port}${path}`;
    } catch {
      // The file is not written yet.
    }
    await pause(20);
  }
  throw new Error('the browser did not start');
}

/** Ends the whole process group. */
async function end(child: ChildProcess, profile: string): Promise<void> {
  if (child.exitCode === null && child.pid) {
    const exited = once(child, 'exit');
    kill(child);
    await exited;
  }
  running.delete(child);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
