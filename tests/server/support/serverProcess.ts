import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';
import { SERVER_NODE_OPTIONS } from '../../helpers/samples';
import { hasEnded } from './hasEnded';

/**
 * The server bundled as it ships, inside the tree, where it finds its packages. Copies the bundle of
 * `npm test` (FULCRUM_DIST), where there is one. Returns the directory.
 */
export async function bundleServer(): Promise<string> {
  mkdirSync('node_modules/.cache', { recursive: true });
  const directory = mkdtempSync(join('node_modules/.cache', 'fulcrum-'));
  const built = process.env['FULCRUM_DIST'];
  if (built) {
    cpSync(join(built, 'server'), join(directory, 'server'), { recursive: true });
    return directory;
  }
  const { serverBuild } = await import('../../../scripts/build.mjs' as string);
  await build({
    configFile: 'vite.config.ts',
    logLevel: 'warn',
    ...serverBuild,
    build: { ...serverBuild.build, outDir: join(directory, 'server') },
  });
  cpSync('server/db/migrations', join(directory, 'server/migrations'), { recursive: true });
  return directory;
}

/** `bundleServer` for the tests of a file or suite: returns the directory, once they run. */
export function serverBundle(within?: number): () => string {
  let bundle = '';
  beforeAll(async () => {
    bundle = await bundleServer();
  }, within);
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));
  return () => bundle;
}

/** Variables of the tests that the server would read, or warn of; recordings of tests jump as they like (D179). */
const NO_SETTINGS = { DATABASE_URL: '', FULCRUM_DIST: undefined, FULCRUM_PRICE_JUMP: '0' };

/** A server in its own process. */
export class ServerProcess {
  readonly child: ChildProcess;
  /** Everything it printed. */
  output = '';
  /** Resolves with the exit code; null where a signal ended it. */
  readonly exit: Promise<number | null>;

  constructor(bundle: string, data: string, ...args: string[]) {
    const program = [...SERVER_NODE_OPTIONS, join(bundle, 'server/main.js')];
    this.child = spawn(process.execPath, [...program, ...args], {
      env: { ...process.env, ...NO_SETTINGS, FULCRUM_PORT: '0', FULCRUM_DATA: data },
    });
    this.exit = once(this.child, 'exit').then(([code]) => code as number | null);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
  }

  /** The address that it prints when it serves. Throws its output where it ended instead. */
  async url(): Promise<string> {
    for (;;) {
      const url = /^Fulcrum: (http\S+)$/m.exec(this.output)?.[1];
      if (url) return url;
      if (hasEnded(this.child) || !this.child.stdout) throw new Error(this.output);
      await Promise.race([once(this.child.stdout, 'data'), this.exit]);
    }
  }

  /** Kills it without a chance to clean up, like a power cut. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }
}
