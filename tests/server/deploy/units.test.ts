import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variableName } from '../../../server/config/config';
import { OPTIONS } from '../../../server/config/options';

const FOLDER = 'deploy/systemd';
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const restarted = readdirSync(FOLDER).filter((name) => /^Restart=/m.test(textOf(name)));

it('units of what is restarted are found', () => expect(restarted.length).toBeGreaterThan(3));

it.each(restarted)('%s is never given up', (name) => {
  const [, unit = ''] = /^\[Unit\]\n([\s\S]*?)^\[/m.exec(textOf(name)) ?? [];
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
});

it.each(readdirSync(FOLDER).filter((name) => name.includes('@')))(
  '%s has settings of one process alone, such as its port for metrics',
  (name) => {
    const [, role] = /^fulcrum-(\w+)@/.exec(name) ?? [];
    expect(textOf(name)).toContain(`\nEnvironmentFile=-/etc/fulcrum/${role}-%i\n`);
  },
);

/** What a unit gives to the server. */
const optionsOf = (name: string) =>
  /^ExecStart=\/usr\/bin\/node dist\/server\/main\.js (.*)$/m.exec(textOf(name))?.[1]?.split(' ') ??
  [];

const servers = restarted.filter((name) => optionsOf(name).length > 0);

it('units of servers are found', () => expect(servers).toEqual(restarted));

it.each(servers.filter((name) => !/--role (feed|gateway)/.test(textOf(name))))(
  '%s has accounts, and pays no user before the operator has said so',
  (name) => expect(optionsOf(name)).toContain('--no-auto-review'),
);

it.each(servers)('%s has no flag that would override a setting of its files', (name) => {
  const flags = optionsOf(name).filter((option) => option.startsWith('--'));
  // The proxy and the operator's commands have port and data directory of one server: they don't read its file.
  const fixed = name.includes('@') ? [] : ['--data'];
  expect(['--role', '--standby', '--port', '--no-auto-review', ...fixed]).toEqual(
    expect.arrayContaining(flags),
  );
});

it.each(servers)('%s sets variables that the server reads', (name) => {
  const known = Object.keys(OPTIONS).map(variableName);
  const set = [...textOf(name).matchAll(/^Environment=(FULCRUM_\w+)=/gm)].map(([, each]) => each);
  expect(set).toContain('FULCRUM_TRUST_PROXY');
  expect(known).toEqual(expect.arrayContaining(set));
});

describe('fulcrum-backup-one.service', () => {
  const text = textOf('fulcrum-backup-one.service');

  it('waits for a start of the server', () => expect(text).toMatch(/^After=fulcrum\.service$/m));

  /** The calls of systemctl before and after the backup, where the server is in a state. */
  function callsIn(state: string): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'fulcrum-units-'));
    try {
      const log = join(folder, 'log');
      // As systemctl, which exits with 3 in all states but `active` and `reloading`.
      const systemctl = `#!/bin/sh
echo "$*" >>${log}
if [ "$1" = is-active ]; then echo ${state}; [ ${state} = active ] || [ ${state} = reloading ] || exit 3; fi
`;
      writeFileSync(join(folder, 'systemctl'), systemctl, { mode: 0o755 });
      const env = { PATH: [folder, process.env['PATH']].join(delimiter) };
      for (const when of ['ExecStartPre', 'ExecStopPost']) {
        const [, script = ''] = new RegExp(`^${when}=\\+/bin/sh -c '(.*)'$`, 'm').exec(text) ?? [];
        const program = script.replaceAll('$$', '$').replaceAll('/run/', `${folder}/`);
        execFileSync('sh', ['-c', program], { env });
      }
      expect(existsSync(join(folder, 'fulcrum-ran'))).toBe(false);
      return readFileSync(log, 'utf8').trim().split('\n').slice(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it.each(['active', 'activating', 'reloading'])('starts a server again that was %s', (state) => {
    expect(callsIn(state)).toEqual(['stop fulcrum', 'start --no-block fulcrum']);
  });

  it.each(['inactive', 'failed', 'deactivating'])('starts none that was %s', (state) => {
    expect(callsIn(state)).toEqual(['stop fulcrum']);
  });
});
