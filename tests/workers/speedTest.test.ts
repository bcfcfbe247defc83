import { describe, expect, it } from 'vitest';
import { BAR_STRIDE } from '#domain/market/candles';
import type { ListQuery } from '#domain/market/list';
import { PERIODS } from '#domain/market/period';
import type { Workload } from '#domain/workload/workload';
import { createFeed } from '../../workers/speedTest/feed';
import { createWorkerApi } from '../../workers/workerApi';
import { FakeClock } from './support/fakeClock';
import { ScriptedTabs } from './support/scriptedTabs';
import { MemoryStorage, paintingPort, Shown } from './support/testWorker';
import { TICKET } from './support/ticket';

const WORKLOAD: Workload = {
  screen: 'list',
  source: 'device',
  instruments: 500,
  rate: 1000,
  rows: 20,
  perMessage: 20,
  spread: 'even',
  rhythm: 'steady',
  scrolling: 'still',
  seed: 1,
};
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
    const last = feed.end();
    await clock.advance(1000);
    const quiet = workerApi.traffic(false).messages;
    await clock.advance(2000);
    expect(workerApi.traffic(false).messages - quiet).toBeLessThanOrEqual(1);
    expect(rows).toHaveLength(20);
    for (const { instrument } of rows)
      expect(shown.quotes.get(instrument.id)?.close).toBe(last[instrument.code]);
    expect(shown.connection?.state).toBe('live');
  });

  it('plays the same prices for the same workload', async () => {
    const play = async (seed: number) => {
      const { clock, feed } = await staged({ seed });
      feed.play();
      await clock.advance(3000);
      return feed.end();
    };
    const first = await play(7);
    expect(await play(7)).toEqual(first);
    expect(await play(8)).not.toEqual(first);
  });

  it('sends bursts, prefers the first instruments, or sends nothing, as configured', async () => {
    const { clock, feed, workerApi } = await staged({ rhythm: 'burst', spread: 'zipf' });
    const messages = () => workerApi.traffic(false).messages;
    feed.play();
    await clock.advance(110);
    const burst = messages();
    await clock.advance(880);
    expect(messages() - burst).toBeLessThanOrEqual(1);
    // One second: 1,000 quotes of 500 instruments.
    const moved = workerApi.rows(QUERY, 0, 500).rows.map(({ quote }) => quote.close !== quote.open);
    expect(moved.slice(0, 20).filter(Boolean).length).toBeGreaterThanOrEqual(18);
    expect(moved.slice(-200).filter(Boolean).length).toBeLessThan(100);
    const idle = await staged({ rate: 0 });
    const still = idle.workerApi.traffic(false).messages;
    idle.feed.play();
    await idle.clock.advance(4000);
    expect(idle.workerApi.traffic(false).messages - still).toBeLessThanOrEqual(1);
  });

  it('has a chart of each period, whose last bar moves with the quotes', async () => {
    const { clock, feed, workerApi, shown, rows } = await staged({ spread: 'zipf' });
    const { id: instrumentId, code } = rows[0]?.instrument ?? { id: 0, code: '' };
    const bars = () => shown.candles.filter(({ period }) => period === '1min');
    workerApi.watch({
      candles: { add: PERIODS.map((period) => ({ instrumentId, period })), remove: [] },
    });
    await clock.advance(1000);
    const loaded = shown.candles.filter(({ change }) => change === 'replace');
    expect(new Set(loaded.map(({ period }) => period))).toEqual(new Set(PERIODS));
    for (const { bars } of loaded) expect(bars.length).toBeGreaterThanOrEqual(500 * BAR_STRIDE);
    feed.play();
    const before = bars().length;
    await clock.advance(65_000);
    expect(bars().length - before).toBeGreaterThan(500);
    const last = feed.end();
    await clock.advance(1000);
    const newest = bars().at(-1)?.bars.slice(-BAR_STRIDE) ?? [];
    const [time = 0, open = 0, high = 0, low = 0, close, volume] = newest;
    expect(close).toBe(last[code]);
    expect(time).toBe(Math.floor(clock.now() / 60_000) * 60);
    expect(high).toBeGreaterThan(open);
    expect(low).toBeLessThan(high);
    expect(volume).toBeGreaterThan(1);
  });

  it('prices the ticket of a visitor with each quote, and accepts no order', async () => {
    const { clock, feed, workerApi, shown, rows } = await staged({ spread: 'zipf' });
    const { id: instrumentId, code } = rows[0]?.instrument ?? { id: 0, code: '' };
    const ticket = { ...TICKET, instrumentId, lots: '0.5' };
    workerApi.setTicket(ticket);
    feed.play();
    await clock.advance(5000);
    const last = feed.end();
    await clock.advance(1000);
    expect(Number(shown.ticket?.price)).toBe(last[code]);
    // 0.5 lots of 100 units, multiplier 100; the fee is 5 USD a lot.
    expect(Number(shown.ticket?.margin)).toBeCloseTo(0.5 * (last[code] ?? 0), 2);
    expect(Number(shown.ticket?.fee)).toBe(2.5);
    expect(shown.ticket?.problem).toBeUndefined();
    expect((await workerApi.submit(ticket, 'a key')).ok).toBe(false);
    expect((await workerApi.signInDemo()).ok).toBe(false);
  });
});
