import { expect, it } from 'vitest';
import { type BrowserSocket, openAhead } from '../../../workers/connection/socketAhead';

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
  return { opened, open };
}

it('gives the socket that was opened ahead once, while it connects', () => {
  const { opened, open } = browser();
  const openSocket = openAhead(URL, open);
  expect(opened).toHaveLength(1);
  expect(openSocket(URL)).toBe(opened[0]);
  expect(openSocket(URL)).toBe(opened[1]);
});

it('tells of an opening that has already been', async () => {
  const { opened, open } = browser();
  const openSocket = openAhead(URL, open);
  for (const socket of opened) socket.readyState = 1;
  const socket = openSocket(URL);
  const heard = new Promise<void>((resolve) => {
    socket.onopen = resolve;
  });
  await heard;
  expect(opened).toHaveLength(1);
});

it.each([2, 3])('opens another one where it has failed meanwhile (state %i)', (readyState) => {
  const { opened, open } = browser();
  const openSocket = openAhead(URL, open);
  for (const socket of opened) socket.readyState = readyState;
  expect(openSocket(URL)).toBe(opened[1]);
});

it('opens another one at another address, and closes the first', () => {
  const { opened, open } = browser();
  const openSocket = openAhead(URL, open);
  expect(openSocket('ws://two/v1/ws')).toMatchObject({ url: 'ws://two/v1/ws' });
  expect(opened[0]).toMatchObject({ closed: true });
});
