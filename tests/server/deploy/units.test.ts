import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = 'deploy/systemd';
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const restarted = readdirSync(FOLDER).filter((name) => /^Restart=/m.test(textOf(name)));

it('units of what is restarted are found', () => expect(restarted.length).toBeGreaterThan(3));

it.each(restarted)('%s is never given up', (name) => {
  const [, unit = ''] = /^\[Unit\]\n([\s\S]*?)^\[/m.exec(textOf(name)) ?? [];
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
});
