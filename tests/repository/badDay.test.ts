import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variableName } from '../../server/config/config';
import { OPTIONS } from '../../server/config/options';
import { root, sourceFiles } from './tree';

const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const [, page = ''] = /\n## A first bad day\n([\s\S]*?)\n## /.exec(operations) ?? [];

/** What is set as code: words between backticks, and the lines of blocks. */
const commands = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, lines = '']) =>
  lines.trim().split('\n'),
);
const inline = [...page.replace(/^```\n[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(
  ([, text = '']) => text,
);
const all = [...commands, ...inline];

/** The commands of `npm run admin` with their first words, as its help lists them: `market` takes `close` or `open`. */
const help = execFileSync(process.execPath, ['scripts/admin.mjs', 'help'], {
  cwd: root,
  encoding: 'utf8',
});
const entries = [...help.matchAll(/^ {2}([a-z]+)(?: ([a-z|]+))?(.*)$/gm)].map(
  ([, name = '', second = '', rest = '']) => ({ name, seconds: second.split('|'), rest }),
);

describe('the page of a first bad day in docs/operations.md', () => {
  const admin = all.filter((each) => each.startsWith('admin '));

  it('is found', () => expect(admin.length).toBeGreaterThan(10));

  it.each(admin)('%s is a command of the operator', (line) => {
    const [, name = '', second = ''] = line.split(' ');
    const named = entries.filter((each) => each.name === name);
    expect(named).not.toEqual([]);
    const closed = named.some(({ seconds }) => seconds.some(Boolean));
    if (closed && /^[a-z]+$/.test(second)) {
      expect(named.flatMap(({ seconds }) => seconds)).toContain(second);
    }
    for (const [option] of line.matchAll(/(?<= )--[a-z]+/g)) expect(help).toContain(`${option} `);
  });

  it('names files, units and variables that exist', () => {
    const units = page.match(/(?<=systemctl (?:\S+ )*)(?:fulcrum)\S*(?=`)/g) ?? [];
    expect(units.length).toBeGreaterThan(1);
    for (const unit of units) {
      const file = `deploy/systemd/${unit.replace(/(?<=@).*/, '')}.service`;
      expect(existsSync(join(root, file)), file).toBe(true);
    }
    const variables = new Set(Object.keys(OPTIONS).map(variableName));
    const named = page.match(/FULCRUM_\w+/g) ?? [];
    expect(named.filter((each) => !variables.has(each))).toEqual([]);
  });

  it('quotes what the server says', () => {
    const quoted = [
      'trading goes on at',
      'no prices from',
      'Calls are answered with 503',
      'is back',
    ];
    const source = sourceFiles(['server'])
      .map(({ text }) => text)
      .join('\n');
    for (const text of quoted) {
      expect(page).toContain(text);
      expect(source).toContain(text);
    }
  });
});
