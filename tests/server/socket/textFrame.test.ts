import { afterEach, expect, it } from 'vitest';
import { textFrame } from '../../../server/socket/textFrame';
import { sampleOrder, startSockets, type TestSockets } from './testSockets';

let running: TestSockets | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

it.each([
  [0, [0x81, 0]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 255, 255]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('a frame of %d bytes has the header of RFC 6455', (length, header) => {
  const bytes = textFrame('x'.repeat(length));
  expect([...bytes.subarray(0, header.length)]).toEqual(header);
  expect(bytes.length).toBe(header.length + length);
});

it('text of any length and script arrives unchanged', async () => {
  const caller = { userId: 7, sessionId: 1, isDemo: true };
  running = await startSockets({ authenticate: async () => caller });
  const client = await running.connect();
  await client.ask({ type: 'login', token: 'x' }, { type: 'sub', topic: 'FOREX_TRADE' });
  const names = ['ü', '黃金', '😀', '\u2028', '\ud800', 'é"\\\n'].flatMap((part) =>
    [1, 7, 40, 11_000].map((count) => part.repeat(count)),
  );
  for (const name of names) {
    const order = sampleOrder(1);
    order.ForexTradeLists.ShowCode = name;
    running.sockets.toUser(7, { type: 'FOREX_TRADE', data: order });
  }
  await client.settled();
  const received = client.data<ReturnType<typeof sampleOrder>>('FOREX_TRADE');
  expect(received.map(({ ForexTradeLists }) => ForexTradeLists.ShowCode)).toEqual(names);
});
