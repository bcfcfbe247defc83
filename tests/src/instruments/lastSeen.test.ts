import { beforeEach, expect, test } from 'vitest';
import { lastSeen, saveLastSeen } from '../../../src/instruments/lastSeen';
import { listRow } from '../scriptedWorkerApi';

const QUERY = { sort: 'default' };
const KEY = 'fulcrum.last-seen';

beforeEach(() => localStorage.clear());

const names = () => lastSeen('en', QUERY)?.rows.map(({ instrument }) => instrument.name);

test('keeps what a row shows, and shows it as stale', () => {
  const row = { ...listRow(1), hasBook: true };
  saveLastSeen('en', QUERY, { closed: 'Closed', rows: [row, listRow(2)] });
  const { id, code, name, logo, precision } = row.instrument;
  const instrument = { id, code, name, logo, precision };
  expect(lastSeen('en', QUERY)?.rows[0]).toEqual({
    ...row,
    instrument,
    stale: true,
    nextOpen: undefined,
  });
  expect(lastSeen('en', QUERY)?.rows[1]).not.toHaveProperty('hasBook');
  expect(lastSeen('en', QUERY)?.closed).toBe('Closed');
  expect(names()).toEqual(['Name 1', 'Name 2']);
});

test('shows none in another language or another order', () => {
  saveLastSeen('en', QUERY, { closed: '', rows: [listRow(1)] });
  expect(lastSeen('de', QUERY)).toBeUndefined();
  expect(lastSeen('en', { sort: 'change' })).toBeUndefined();
});

test.each([
  ['null'],
  ['{'],
  ['{"of":"en {\\"sort\\":\\"default\\"}","rows":7}'],
  ['{"of":"en {\\"sort\\":\\"default\\"}","rows":[{"instrument":{"id":"1"}}]}'],
])('shows none of broken data: %s', (stored) => {
  localStorage.setItem(KEY, stored);
  expect(names()).toBeUndefined();
});

test('leaves out a row with invalid values', () => {
  saveLastSeen('en', QUERY, { closed: '', rows: [listRow(1), listRow(2)] });
  const stored = JSON.parse(localStorage.getItem(KEY) ?? '');
  stored.rows[0].instrument.precision = 1e9;
  localStorage.setItem(KEY, JSON.stringify(stored));
  expect(names()).toEqual(['Name 2']);
});
