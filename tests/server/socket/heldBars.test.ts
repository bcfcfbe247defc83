import type { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Outbox } from '../../../server/socket/outbox';
import { QuoteEncoder } from '../../../server/socket/quoteEncoder';
import { Topics } from '../../../server/socket/topics';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';

it.each([
  ['gets them when it has caught up', false, 1],
  ['gets none of a chart that it has left meanwhile', true, 0],
])('a slow reader for whom bars are held %s', async (_what, leaves, sent) => {
  const eur = instrument(1, 'EURUSD');
  const market = new ScriptedMarket([eur]);
  const clock = new FakeClock();
  const topics = new Topics(market, new QuoteEncoder(market), clock, () => undefined);
  let drained = () => {};
  let written = 0;
  const stream = {
    writableLength: 10 ** 6,
    writableHighWaterMark: 0,
    write: () => written++,
    on: (_event: string, listener: () => void) => {
      drained = listener;
    },
  };
  const socket = { readyState: 1, on() {}, terminate() {} };
  const context = { lossless: false, now: () => clock.now(), congested: new Set<Outbox>() };
  const outbox = new Outbox(socket as unknown as WebSocket, stream as unknown as Duplex, context);
  topics.bars.subscribe(outbox, eur);
  await market.tick([1, 1.1]);
  const bar = market.currentBar(1);
  if (!bar) throw new Error('no bar');
  topics.bars.publishBar(1, bar);
  expect(written).toBe(0);
  if (leaves) topics.bars.unsubscribe(outbox, 1);
  stream.writableLength = 0;
  drained();
  expect(written).toBe(sent);
});
