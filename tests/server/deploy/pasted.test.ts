import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Blocks of docs/operations.md. */
const all = [
  ...readFileSync('docs/operations.md', 'utf8').matchAll(/^ *```(?:sh)?\n([^`]*?)^ *```$/gm),
].map(([, text = '']) => text.replaceAll(/^ +/gm, ''));
/** That put a database in place. */
const blocks = all.filter((text) => /main\.js restore|pg_dump|pg_restore/.test(text));

const PROGRAMS =
  'ln systemctl chown sudo node npm pg_dump pg_restore psql deploy/postgresql/create.sh'.split(' ');

describe('a block of commands', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-pasted-'));
    // Each program notes how it was called; one of the calls fails.
    const noting = `#!/bin/sh
echo "\${0##*/} $*" >>"$LOG"
[ "$(wc -l <"$LOG")" != "$FAILING" ]
`;
    for (const name of PROGRAMS) {
      const file = name.includes('/') ? join(folder, name) : join(folder, 'bin', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, noting, { mode: 0o755 });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The calls of a block that is pasted into a shell whose call number `failing` fails. */
  function callsOf(block: string, failing: number): string[] {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
    const env = { PATH: path, LOG: log, FAILING: String(failing) };
    // The status is that of the last line.
    const input = `${block.replaceAll('/opt/fulcrum', folder)}\ntrue\n`;
    execFileSync('sh', { cwd: folder, env, input });
    return readFileSync(log, 'utf8').trim().split('\n');
  }

  it('is found', () => expect(blocks).toHaveLength(4));

  it.each(blocks.map((block) => [block.split('\n')[0], block] as const))(
    'that begins with %s does nothing after a failure',
    (_, block) => {
      const calls = callsOf(block, 0);
      expect(calls.length).toBeGreaterThan(2);
      for (const [index] of calls.entries()) {
        expect(callsOf(block, index + 1)).toEqual(calls.slice(0, index + 1));
      }
    },
  );

  it('upgrades a cluster once the link leads to the new program', () => {
    const [upgrade = ''] = all.filter((text) => text.includes('upgrade.mjs'));
    const link = `ln -sfT ${folder}-TAG ${folder}`;
    const run = expect.stringContaining(`node ${folder}/deploy/upgrade.mjs --gateways`);
    expect(callsOf(upgrade, 0)).toEqual([link, run]);
    expect(callsOf(upgrade, 1)).toEqual([link]);
  });

  it('has given the files to the server before it restores as its user', () => {
    const [calls = []] = blocks
      .map((block) => callsOf(block, 0))
      .filter((each) => each.some((call) => call.startsWith('sudo')));
    expect(calls.map((call) => call.split(' ')[0])).toEqual([
      'systemctl',
      'chown',
      'sudo',
      'systemctl',
    ]);
  });
});
