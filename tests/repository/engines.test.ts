import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXCEPTIONS } from '../e2e/engines/exceptions';

/** Lower it with each exception that goes. */
const MOST = 0;

it('has no more exceptions than before', () => {
  expect(EXCEPTIONS.length).toBeLessThanOrEqual(MOST);
});

it.each(EXCEPTIONS)('excepts a test that exists: $file, $title', ({ file, title }) => {
  expect(readFileSync(`tests/e2e/${file}`, 'utf8')).toContain(title);
});
