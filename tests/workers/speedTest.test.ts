import { describe, expect, it } from 'vitest';
import { BAR_STRIDE } from '#domain/market/candles';
import type { ListQuery } from '#domain/market/list';
import { MAIN, type Workload } from '#domain/workload/workload';
import { createFeed } from '../../workers/speedTest/feed';
import { createWorkerApi } from '../../workers/workerApi';
import { FakeClock } from './support/fakeClock';
import { ScriptedTabs } from './support/scriptedTabs';
import { MemoryStorage, paintingPort, Shown } from './support/testWorker';
import { TICKET } from './support/ticket';

const WORKLOAD: Workload = { ...MAIN, n: 500 };
const QUERY: ListQuery = { sort: 'default', descending: false, favourites: [] };

/** The app's worker on a simulated market, one second after its start. */
async function staged(change: Partial<Workload> = {}) {
  const clock = new FakeClock();
  const feed = createFeed({ ...WORKLOAD, ...change }, clock);
  const workerApi = createWorkerApi({
    clock,
    random: () => 0.5,
    openSocket: feed.openSocket,
    adapter: feed.adapter,
    storage: new MemoryStorage(),
    logger: { log: () => {}, warn: () => {} },
    ...new ScriptedTabs().open(),
    stopwatch: clock.now,
  });
  const shown = new Shown();
  workerApi.sendFrames(paintingPort((frame) => shown.apply(frame)));
  workerApi.start({
    language: 'en',
    page: { origin: 'http://localhost:3000', title: '', fallbackHost: '', domains: [] },
    version: '',
    visible: true,
    online: true,
    dataSaver: false,
  });
  await clock.advance(1000);
  const rows = workerApi.rows(QUERY, 0, 20).rows;
  workerApi.watch({ instruments: { add: rows.map((row) => row.instrument.id), remove: [] } });
  await clock.advance(1000);
  return { clock, feed, workerApi, shown, rows };
}

describe('the market of /bench', () => {
  it('is live, has the configured number of quotes a second, and draws its last price', async () => {
    const { clock, feed, workerApi, shown, rows } = await staged();
    const before = workerApi.traffic(false);
    feed.play();
    await clock.advance(10_000);
    const after = workerApi.traffic(false);
    // Pongs come besides the quotes.
    expect(after.messages - before.messages).toBeGreaterThanOrEqual(499);
    expect(after.messages - before.messages).toBeLessThanOrEqual(503);
    const { last } = feed.end();
    await clock.advance(1000);
    const quiet = workerApi.traffic(false).messages;
    await clock.advance(2000);
    expect(workerApi.traffic(false).messages - quiet).toBeLessThanOrEqual(1);
    expect(rows).toHaveLength(20);
    for (const { instrument } of rows)
      expect(shown.quotes.get(instrument.id)?.close).toBe(Number(last.get(instrument.name)?.price));
    expect(shown.connection?.state).toBe('live');
  });

  it('plays the same prices for the same workload', async () => {
    const play = async (seed: number) => {
      const { clock, feed } = await staged({ seed });
      feed.play();
      await clock.advance(3000);
      return feed.end().last;
    };
    const first = await play(7);
    expect(await play(7)).toEqual(first);
    expect(await play(8)).not.toEqual(first);
  });

  it('counts ages from when a quote was due, and knows how late it was sent', async () => {
    const { clock, feed } = await staged();
    const began = clock.now();
    feed.play();
    await clock.advance(1000);
    const { sentAt, messageOf, late } = feed.end();
    expect(sentAt).toHaveLength(50);
    for (const [index, at] of sentAt.entries()) expect(at).toBeCloseTo(began + 20 * (index + 1), 6);
    expect([messageOf[19], messageOf[20]]).toEqual([0, 1]);
    expect(late).toBeLessThanOrEqual(1);
  });

  it('has a chart whose last bar moves with the quotes', async () => {
    const { clock, feed, workerApi, shown, rows } = await staged({ first: 20 });
    const { id: instrumentId, name } = rows[0]?.instrument ?? { id: 0, name: '' };
    workerApi.watch({ candles: { add: [{ instrumentId, period: '1min' }], remove: [] } });
    await clock.advance(1000);
    const loaded = shown.candles.find(({ change }) => change === 'replace');
    expect(loaded?.bars.length).toBeGreaterThanOrEqual(500 * BAR_STRIDE);
    feed.play();
    const before = shown.candles.length;
    await clock.advance(20_000);
    expect(shown.candles.length - before).toBeGreaterThan(200);
    const { last } = feed.end();
    await clock.advance(1000);
    const newest = shown.candles.at(-1)?.bars.slice(-BAR_STRIDE) ?? [];
    const [, open = 0, high = 0, low = 0, close, volume] = newest;
    expect(close).toBe(Number(last.get(name)?.price));
    expect(high).toBeGreaterThanOrEqual(open);
    expect(low).toBeLessThan(high);
    expect(volume).toBeGreaterThan(1);
  });

  it('prices the ticket of a visitor with each quote, and accepts no order', async () => {
    const { clock, feed, workerApi, shown, rows } = await staged({ first: 20 });
    const { id: instrumentId, name } = rows[0]?.instrument ?? { id: 0, name: '' };
    const ticket = { ...TICKET, instrumentId, lots: '0.5' };
    workerApi.setTicket(ticket);
    feed.play();
    await clock.advance(5000);
    const price = Number(feed.end().last.get(name)?.price);
    await clock.advance(1000);
    expect(Number(shown.ticket?.price)).toBe(price);
    // 0.5 lots of 100 units, multiplier 100; the fee is 5 USD a lot.
    expect(Number(shown.ticket?.margin)).toBeCloseTo(0.5 * price, 2);
    expect(Number(shown.ticket?.fee)).toBe(2.5);
    expect(shown.ticket?.problem).toBeUndefined();
    expect((await workerApi.submit(ticket, 'a key')).ok).toBe(false);
    expect((await workerApi.signInDemo()).ok).toBe(false);
  });
});
