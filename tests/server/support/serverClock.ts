import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOADED = pathToFileURL(resolve('tests/server/support/aheadClock.mjs')).href;

/** The wall clock of all servers that are started while it is there. It only goes forward, and may be set forward. */
export class ServerClock {
  private ahead = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'fulcrum-clock-'));
  private readonly file = join(this.folder, 'ahead');

  constructor(time: number) {
    this.set(time);
    Object.assign(process.env, { AHEAD_CLOCK: this.file, NODE_OPTIONS: `--import=${PRELOADED}` });
  }

  now(): number {
    return Date.now() + this.ahead;
  }

  set(time: number): void {
    this.ahead = time - Date.now();
    const draft = `${this.file}.new`;
    writeFileSync(draft, String(this.ahead));
    renameSync(draft, this.file);
  }

  /** Servers that run end before. */
  remove(): void {
    for (const name of ['AHEAD_CLOCK', 'NODE_OPTIONS']) delete process.env[name];
    rmSync(this.folder, { recursive: true });
  }
}
