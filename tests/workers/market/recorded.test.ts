import { beforeAll, describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import {
  type Bar,
  barFromTick,
  barStart,
  CHART_PERIODS,
  type ChartPeriod,
  foldBars,
  foldTick,
} from '#domain/market/kline';
import { brokerBars, recordedCodes, recordedQuotes } from '../../helpers/recordedDay';
import { klineRow } from '../support/klineRow';
import { PageChart } from '../support/pageChart';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';

/** Number of ticks whose bars are sent in one burst, as by a server that conflates. */
const BURST = 40;

type Prices = Omit<Bar, 'volume'>;
const prices = ({ time, open, high, low, close }: Prices): Prices => ({
  time,
  open,
  high,
  low,
  close,
});

const published = (code: string): Bar[] => brokerBars(code).map((bar) => ({ ...bar, volume: 1 }));

/** Sends the day's quotes as one-minute bars, the last state of each bar in a burst. */
async function replay({ sockets, clock }: TestWorker): Promise<void> {
  const open = new Map<string, Bar>();
  const burst = new Map<string, Bar>();
  const send = (code: string, bar: Bar) =>
    sockets.last.receive({ type: `KLINE.${code}`, data: klineRow(bar) });
  const flush = () => {
    for (const [code, bar] of burst) send(code, bar);
    burst.clear();
  };
  let count = 0;
  for (const { time: ms, code, bid } of recordedQuotes()) {
    const time = barStart('1min', toUnixSeconds(ms / 1000));
    const bar = open.get(code);
    if (bar?.time === time) {
      foldTick(bar, Number(bid), 1);
    } else {
      flush();
      if (bar) send(code, bar);
      open.set(code, barFromTick(time, Number(bid), 1));
    }
    burst.set(code, open.get(code) as Bar);
    if (++count % BURST === 0) flush();
    if (count % (BURST * 25) === 0) await clock.advance(60);
  }
  flush();
  await clock.advance(60);
}

describe('a recorded day, from the websocket alone', () => {
  const charts = new Map<string, PageChart>();
  const chart = (code: string, period: ChartPeriod) => charts.get(`${code} ${period}`)?.bars ?? [];

  beforeAll(async () => {
    const worker = createTestWorker(
      recordedCodes.map((code, index) => instrumentRow(index + 1, code)),
    );
    worker.server.on('/v1/api/forex/kline', () => ({ data: [] }));
    worker.start();
    await worker.clock.advance(100);
    const add = recordedCodes.flatMap((_, index) =>
      CHART_PERIODS.map((period) => ({ instrumentId: index + 1, period })),
    );
    worker.workerApi.watch({ candles: { add, remove: [] } });
    await worker.clock.advance(100);
    await replay(worker);
    for (const candles of worker.shown.candles) {
      const name = `${recordedCodes[candles.instrumentId - 1]} ${candles.period}`;
      const known = charts.get(name) ?? new PageChart();
      known.apply(candles);
      charts.set(name, known);
    }
  }, 60_000);

  it.each(recordedCodes)("makes the broker's minutes of %s", (code) => {
    const minutes = published(code);
    expect(minutes.length).toBeGreaterThan(1300);
    expect(chart(code, '1min').map(prices)).toEqual(minutes.map(prices));
  });

  it.each(
    recordedCodes.flatMap((code) =>
      CHART_PERIODS.slice(1).map((period) => [code, period] as const),
    ),
  )('makes the exact fold of %s in %s', (code, period) => {
    expect(chart(code, period).map(prices)).toEqual(foldBars(published(code), period).map(prices));
  });
});
