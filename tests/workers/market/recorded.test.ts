import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Bar,
  barFromTick,
  barStart,
  foldBars,
  foldTick,
  PERIODS,
  type Period,
} from '#domain/market/kline';
import { PageChart } from '../support/page';
import { instrumentRow, type Rig, rig } from '../support/worker';

const DATA = process.env['FULCRUM_DATA'] ?? '../shared/data';
const TICKS = `${DATA}/oanda-2014-05-07-ticks.csv.gz`;
const MINUTES = `${DATA}/oanda-2014-05-07-1min.csv`;
const CODES = ['EURUSD', 'NZDUSD'];
/** Ticks whose bars go out in one burst: a server that conflates. */
const BURST = 40;

type Prices = Omit<Bar, 'volume'>;
const prices = ({ time, open, high, low, close }: Prices): Prices => ({
  time,
  open,
  high,
  low,
  close,
});

function lines(text: string): string[][] {
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
}

/** The broker's own bars. */
function published(code: string): Bar[] {
  return lines(readFileSync(MINUTES, 'utf8'))
    .filter(([of]) => of === code)
    .map(([, ...numbers]) => {
      const [time, open, high, low, close] = numbers.map(Number);
      return { time, open, high, low, close, volume: 1 } as Bar;
    });
}

/** Sends the day's quotes as one-minute bars, the last state of each bar in a burst. */
async function replay({ wires, clock }: Rig): Promise<void> {
  const open = new Map<string, Bar>();
  const burst = new Map<string, Bar>();
  const send = (code: string, { time, open, high, low, close, volume }: Bar) =>
    wires.last.receive({
      type: `KLINE.${code}`,
      data: {
        Time: time,
        Open: `${open}`,
        High: `${high}`,
        Low: `${low}`,
        Close: `${close}`,
        Volume: `${volume}`,
      },
    });
  const flush = () => {
    for (const [code, bar] of burst) send(code, bar);
    burst.clear();
  };
  let count = 0;
  for (const [ms, code = '', bid] of lines(gunzipSync(readFileSync(TICKS)).toString())) {
    const time = barStart('1min', Number(ms) / 1000);
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

describe.skipIf(!existsSync(TICKS))('a recorded day, from the websocket alone', () => {
  const charts = new Map<string, PageChart>();
  const chart = (code: string, period: Period) => charts.get(`${code} ${period}`)?.bars ?? [];

  beforeAll(async () => {
    const worker = rig(CODES.map((code, index) => instrumentRow(index + 1, code)));
    worker.server.on('/v1/api/forex/kline', () => ({ data: [] }));
    worker.start();
    await worker.clock.advance(100);
    const add = CODES.flatMap((_, index) =>
      PERIODS.map((period) => ({ instrumentId: index + 1, period })),
    );
    worker.gateway.watch({ candles: { add, remove: [] } });
    await worker.clock.advance(100);
    await replay(worker);
    for (const candles of worker.shown.candles) {
      const name = `${CODES[candles.instrumentId - 1]} ${candles.period}`;
      const known = charts.get(name) ?? new PageChart();
      known.apply(candles);
      charts.set(name, known);
    }
  }, 60_000);

  it.each(CODES)("gives the broker's own minutes of %s", (code) => {
    const minutes = published(code);
    expect(minutes.length).toBeGreaterThan(1300);
    expect(chart(code, '1min').map(prices)).toEqual(minutes.map(prices));
  });

  it.each(CODES.flatMap((code) => PERIODS.slice(1).map((period) => [code, period] as const)))(
    'gives the exact fold of %s in %s',
    (code, period) => {
      expect(chart(code, period).map(prices)).toEqual(
        foldBars(published(code), period).map(prices),
      );
    },
  );
});
