import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadKeys } from '../../../server/config/secret';
import { dataDirectory } from '../support/dataDirectory';

it('is created once, readable by its owner only, and never used directly', async () => {
  const directory = dataDirectory();
  const [one, two] = await Promise.all([loadKeys(directory, ''), loadKeys(directory, '')]);
  const file = join(directory, 'secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(one('codes')).toEqual(two('codes'));
  expect(one('codes')).toHaveLength(32);
  expect(one('codes')).not.toEqual(one('pictures'));
  expect(one('codes').toString('base64url')).not.toBe(readFileSync(file, 'utf8'));
  expect((await loadKeys(dataDirectory(), ''))('codes')).not.toEqual(one('codes'));
});

it('may come from the environment', async () => {
  const directory = dataDirectory();
  const [one, two] = [await loadKeys(directory, 'given'), await loadKeys('/nonexistent', 'given')];
  expect(one('codes')).toEqual(two('codes'));
  expect(() => statSync(join(directory, 'secret'))).toThrow();
});
