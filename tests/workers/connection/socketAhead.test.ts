import { expect, it } from 'vitest';
import { LONGEST_IN_ADDRESS, MOST_IN_ADDRESS, type SubscribeMessage } from '#domain/api/socket';
import {
  afterAhead,
  type BrowserSocket,
  openAhead,
  subscribing,
} from '../../../workers/connection/socketAhead';

const URL = 'ws://one/v1/ws';

/** Sockets as a browser opens them, newest last. */
function browser() {
  const opened: (BrowserSocket & { url: string; readyState: number; closed: boolean })[] = [];
  const open = (url: string) => {
    const socket = {
      url,
      readyState: 0,
      closed: false,
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: () => {},
      close() {
        socket.closed = true;
      },
    };
    opened.push(socket);
    return socket;
  };
  const early: unknown[] = [];
  const ahead = openAhead(URL, [], open, (data) => early.push(data));
  return { opened, open: afterAhead(ahead, open), ahead, early };
}

it('gives the socket that was opened ahead once, while it connects', () => {
  const { opened, open } = browser();
  expect(opened).toHaveLength(1);
  expect(open(URL)).toBe(opened[0]);
  expect(open(URL)).toBe(opened[1]);
});

it('tells of an opening, and of what came, that have already been', async () => {
  const { opened, open, ahead, early } = browser();
  for (const socket of opened) socket.readyState = 1;
  ahead.socket.onmessage?.({ data: 'first' });
  ahead.socket.onmessage?.({ data: 'second' });
  const socket = open(URL);
  const heard: unknown[] = [];
  socket.onopen = () => heard.push('open');
  socket.onmessage = ({ data }) => heard.push(data);
  await Promise.resolve();
  expect(heard).toEqual(['open', 'first', 'second']);
  socket.onmessage({ data: 'third' });
  expect(early).toEqual(['first', 'second']);
  expect(opened).toHaveLength(1);
});

it.each([2, 3])('opens another one where it has failed meanwhile (state %i)', (readyState) => {
  const { opened, open } = browser();
  for (const socket of opened) socket.readyState = readyState;
  expect(open(URL)).toBe(opened[1]);
});

it('opens another one at another address, and closes the first', () => {
  const { opened, open } = browser();
  expect(open('ws://two/v1/ws')).toMatchObject({ url: 'ws://two/v1/ws' });
  expect(opened[0]).toMatchObject({ closed: true });
});

it('subscribes with its address what the page names', () => {
  const urls: string[] = [];
  const sub = { type: 'sub' as const, topic: 'DAY_MARKET' as const, codes: ['A&B'] };
  const connect = (url: string) => {
    urls.push(url);
    return { onmessage: null } as BrowserSocket;
  };
  openAhead(URL, [sub], connect, () => {});
  const [address = ''] = urls;
  const { searchParams } = new globalThis.URL(address);
  expect(JSON.parse(searchParams.get('sub') ?? '')).toEqual([sub]);
});

const barsOf = (code: string): SubscribeMessage => ({ type: 'sub', topic: `KLINE.${code}` });

it.each([0, 1, MOST_IN_ADDRESS, MOST_IN_ADDRESS + 1])(
  'subscribes with its address to at most so many topics: %i',
  (count) => {
    const address = subscribing(URL, Array(count).fill(barsOf('A')));
    expect(address !== URL).toBe(count > 0 && count <= MOST_IN_ADDRESS);
  },
);

it.each([0, 1])('subscribes with its address where that is not too long: %i more', (more) => {
  const { length } = JSON.stringify([barsOf('')]);
  const address = subscribing(URL, [barsOf('A'.repeat(LONGEST_IN_ADDRESS - length + more))]);
  expect(address !== URL).toBe(more === 0);
});
