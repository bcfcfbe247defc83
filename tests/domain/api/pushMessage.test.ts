import { expect, it } from 'vitest';
import { readPushMessage } from '#domain/api/pushMessage';

const message = {
  kind: 'alerts',
  title: 'A price alert has triggered',
  body: '',
  tag: 'alert-7',
  id: 'alert-7-1',
  path: '/alerts',
};
const read = (changes: object) => readPushMessage(JSON.stringify({ ...message, ...changes }));

it('reads a message, filled up with spaces', () => {
  expect(readPushMessage(`${JSON.stringify(message)}   `)).toEqual(message);
});

it.each(['', 'nonsense', 'null', '[]', '"alerts"', '{}'])('reads nothing from %s', (text) => {
  expect(readPushMessage(text)).toBeUndefined();
});

it('needs a kind that it knows, and a title', () => {
  expect(read({ kind: 'weather' })).toBeUndefined();
  expect(read({ title: '' })).toBeUndefined();
});

it('replaces what another server leaves out', () => {
  const bare = read({ body: undefined, tag: undefined, id: undefined, path: undefined });
  expect(bare).toEqual({ ...message, body: '', tag: 'alerts', id: 'alerts', path: '/' });
});

it('opens no other page', () => {
  expect(read({ path: 'https://evil.example.com' })?.path).toBe('/');
});
