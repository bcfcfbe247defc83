import { describe, expect, it } from 'vitest';
import type { CandlesKey } from '#domain/market/candles';
import { FRAME_MS, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const CHART: CandlesKey = { instrumentId: 1, period: '1min' };

/** A worker with two instruments in sight, both with a tick every millisecond. */
async function started(): Promise<TestWorker> {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')]);
  worker.start();
  worker.workerApi.watch({ instruments: { add: [1, 2], remove: [] } });
  await worker.clock.advance(1000);
  return worker;
}

/** How often each instrument was drawn within one second, and whether the last quote of both is shown in the end. */
async function second({ clock, shown, sockets }: TestWorker) {
  const from = shown.frames.length;
  const close = (ms: number) => (1 + ms / 10_000).toFixed(5);
  for (let ms = 1; ms <= 1000; ms++) {
    sockets.last.receive(ticks(tickRow(1, 'EURUSD', close(ms)), tickRow(2, 'NZDUSD', close(ms))));
    await clock.advance(1);
  }
  const drawn = [0, 0, 0];
  for (const { quotes = [] } of shown.frames.slice(from))
    for (let at = 0; at < quotes.length; at += QUOTE_STRIDE) {
      const id = quotes[at] as number;
      drawn[id] = (drawn[id] ?? 0) + 1;
    }
  await clock.advance(500);
  return { drawn, last: [shown.quotes.get(1)?.close, shown.quotes.get(2)?.close] };
}

describe('the frame interval (D68)', () => {
  it('is that of the list for everything in sight', async () => {
    const { drawn, last } = await second(await started());
    expect(drawn[1]).toBe(drawn[2]);
    expect(drawn[2]).toBeGreaterThanOrEqual(Math.floor(1000 / FRAME_MS) - 1);
    expect(drawn[2]).toBeLessThanOrEqual(Math.floor(1000 / FRAME_MS) + 1);
    expect(last).toEqual([1.1, 1.1]);
  });

  it('is the same for the instrument of the chart', async () => {
    const worker = await started();
    worker.workerApi.watch({ candles: { add: [CHART], remove: [] } });
    const { drawn, last } = await second(worker);
    expect(drawn[1]).toBe(drawn[2]);
    expect(drawn[1]).toBeLessThanOrEqual(Math.floor(1000 / FRAME_MS) + 1);
    expect(last).toEqual([1.1, 1.1]);
  });

  it('is slower if the page reports a weak device', async () => {
    const worker = await started();
    worker.workerApi.setFrameInterval(200);
    const { drawn, last } = await second(worker);
    expect(drawn[2]).toBeGreaterThanOrEqual(5);
    expect(drawn[2]).toBeLessThanOrEqual(6);
    expect(last).toEqual([1.1, 1.1]);
  });
});

describe('traffic', () => {
  it('counts what comes over the socket, and reports only while it is watched', async () => {
    const worker = await started();
    const text = JSON.stringify(ticks(tickRow(1, 'EURUSD', '1.2')));
    const before = worker.workerApi.traffic(false);
    worker.sockets.last.receiveRaw(text);
    const after = worker.workerApi.traffic(true);
    expect(after.messages - before.messages).toBe(1);
    expect(after.characters - before.characters).toBe(text.length);
    expect(after.busyMs).toBe(0);
  });
});
