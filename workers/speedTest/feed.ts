import type { AxiosAdapter } from 'axios';
import type { InstrumentRow, KlineRow } from '#domain/api/market';
import type { ClientMessage } from '#domain/api/socket';
import { secondOf, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import { fourLetters, randomFrom, zipf } from '#domain/workload/draws';
import type { Workload } from '#domain/workload/workload';
import type { Clock, RawSocket } from '../core/ports';

/** The first id. No server uses such ids, so that no instrument of the app is mistaken for one of these. */
const FIRST_ID = 1_000_000_001;
const DECIMALS = 3;
/** Send messages that are due this often, ms: a timer of a worker is not more precise. */
const STEP_MS = toDurationMs(10);
const CLOSES = 48;
const BARS = 500;
const KLINE = 'KLINE.';

/** A simulated market for one worker, on the device itself. */
export interface Feed {
  openSocket(): RawSocket;
  adapter: AxiosAdapter;
  play(): void;
  /** Ends the market. Returns the last price that was sent of each instrument, by its code. */
  end(): Record<string, number>;
}

/** The same workload gives the same prices each time. */
export function createFeed(workload: Workload, clock: Clock): Feed {
  const { instruments, rate, perMessage } = workload;
  const random = randomFrom(workload.seed);
  const codes = Array.from({ length: instruments }, (_, index) => `${fourLetters(index)}USD`);
  const open = Int32Array.from(codes, () => 200_000 + Math.floor(random() * 600_000));
  const close = Int32Array.from(open);
  const draw =
    workload.spread === 'zipf' ? zipf(instruments, random) : uniform(instruments, random);
  /** Open minutes of subscribed charts, by the index of the instrument. */
  const charts = new Map<number, Bar>();
  let rawSocket: RawSocket | undefined;
  let began = 0;
  let sent = 0;
  let cancel = () => {};

  function tick(index: number, now: number): string {
    const from = open[index] ?? 1;
    const price = close[index] ?? 1;
    const change = (((price - from) / from) * 100).toFixed(2);
    return `{"Id":${FIRST_ID + index},"Code":"${codes[index]}","Close":"${text(price)}","Open":"${text(from)}","Change":"${change}","Volume":"1","Time":${now},"MarketStatus":1}`;
  }

  function send(ticks: string[]): void {
    rawSocket?.onmessage?.({ data: `{"type":"DAY_MARKET","data":[${ticks.join()}]}` });
  }

  function sendBar(index: number, bar: Bar): void {
    const data = JSON.stringify({ type: `${KLINE}${codes[index]}`, data: barRow(bar) });
    rawSocket?.onmessage?.({ data });
  }

  /** Folds the present price into the open minute. */
  function fold(index: number, bar: Bar, now: UnixMs): void {
    const price = close[index] ?? 1;
    const minute = barStart('1min', secondOf(now));
    if (minute > bar.time) Object.assign(bar, barFromTick(minute, price, 1));
    else foldTick(bar, price, 1);
  }

  /** Moves the price by up to 0.04, towards the open when far from it. */
  function move(index: number): void {
    const from = open[index] ?? 1;
    const far = ((close[index] ?? from) - from) / from;
    const step = 1 + Math.floor(random() * 40);
    close[index] = (close[index] ?? from) + (random() < 0.5 - far * 20 ? step : -step);
  }

  /** Number of messages due `ms` after the beginning. */
  function due(ms: number): number {
    const seconds = ms / 1000;
    const whole = Math.floor(seconds);
    const share =
      workload.rhythm === 'burst' ? Math.min(1, (seconds - whole) * 10) : seconds - whole;
    return Math.floor(((whole + share) * rate) / perMessage);
  }

  function step(): void {
    const now = clock.now();
    for (const until = due(now - began); sent < until; sent++) {
      const ticks: string[] = [];
      const traded = new Map<number, Bar>();
      for (let i = 0; i < perMessage; i++) {
        const index = draw();
        move(index);
        ticks.push(tick(index, now));
        const bar = charts.get(index);
        if (!bar) continue;
        fold(index, bar, now);
        traded.set(index, bar);
      }
      send(ticks);
      for (const [index, bar] of traded) sendBar(index, bar);
    }
    cancel = clock.after(STEP_MS, step);
  }

  function answer(message: ClientMessage): void {
    if (message.type === 'ping') {
      rawSocket?.onmessage?.({ data: `{"type":"pong","now":${clock.now()}}` });
    }
    // Like a server without a quote filter, it sends quotes out of sight too.
    if (message.type === 'sub' && message.topic === 'DAY_MARKET') {
      send(codes.map((_, index) => tick(index, clock.now())));
    }
    if (message.type === 'sub' && message.topic.startsWith(KLINE)) {
      const index = codes.indexOf(message.topic.slice(KLINE.length));
      const bar = openMinute(index);
      charts.set(index, bar);
      sendBar(index, bar);
    }
  }

  function openMinute(index: number): Bar {
    const minute = barStart('1min', secondOf(clock.now()));
    return charts.get(index) ?? barFromTick(minute, close[index] ?? 1, 1);
  }

  return {
    openSocket() {
      const opened: RawSocket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (message) =>
          clock.after(toDurationMs(0), () => answer(JSON.parse(message) as ClientMessage)),
        close() {
          if (rawSocket === opened) rawSocket = undefined;
        },
      };
      rawSocket = opened;
      clock.after(toDurationMs(0), () => opened.onopen?.());
      return opened;
    },
    adapter: async (config) => ({
      data: JSON.stringify(answerTo(called(config.url ?? '', config.params))),
      status: 200,
      statusText: 'OK',
      headers: {},
      config,
    }),
    play() {
      if (rate === 0) return;
      began = clock.now();
      step();
    },
    end() {
      cancel();
      return Object.fromEntries(codes.map((code, index) => [code, (close[index] ?? 0) / 1000]));
    },
  };

  function called(url: string, params = new URLSearchParams()): unknown {
    if (url.endsWith('/trade_list')) return codes.map(row);
    if (url.endsWith('/abbreviated_cache_kline')) {
      const ids = String(params.get('forex_id')).split(',');
      return Object.fromEntries(ids.map((id) => [id, closes(Number(id))]));
    }
    if (url.endsWith('/kline')) return history(params);
    if (url.endsWith('/getBasicInfo')) return { trade_fee_type: 1 };
    if (url.endsWith('/getCompanyStatus')) return { status: 0, type: '', loss_url: '' };
    return undefined;
  }

  /** One page of bars up to the open one; there are no older ones. */
  function history(params: URLSearchParams): KlineRow[] {
    if (params.has('before')) return [];
    const index = Number(params.get('forex_id')) - FIRST_ID;
    const period = params.get('period') as Period;
    const chance = randomFrom(workload.seed + index);
    const bar = { ...openMinute(index) };
    const rows: KlineRow[] = [];
    for (
      let time = barStart(period, bar.time);
      rows.length < BARS;
      time = timeBefore(time, PERIOD_SECONDS[period])
    ) {
      rows.unshift(barRow({ ...bar, time }));
      // The bar before it closed where this one opened.
      bar.close = bar.open;
      bar.open += Math.floor((chance() - 0.5) * 400);
      bar.high = Math.max(bar.open, bar.close) + Math.floor(chance() * 100);
      bar.low = Math.min(bar.open, bar.close) - Math.floor(chance() * 100);
      bar.volume = 1 + Math.floor(chance() * 100);
    }
    return rows;
  }

  function row(code: string, index: number): InstrumentRow {
    const price = text(open[index] ?? 1);
    return {
      Id: FIRST_ID + index,
      Code: code,
      ShowCode: `${code.slice(0, 4)}/USD`,
      Logo: '',
      CategoryId: 1,
      MarketStatus: 1,
      PricePrecision: DECIMALS,
      Pip: '0.01',
      ForexMinCont: '0.01',
      ForexContNum: '100',
      MarginMode: 0,
      HasForexMultiple: [{ Value: '100' }],
      ForexFeeRate: '5',
      ForexQuotations: { Open: price, Close: price, Change: '0', Time: 0 },
      NextOpen: '',
    };
  }
}

function text(thousandths: number): string {
  return (thousandths / 10 ** DECIMALS).toFixed(DECIMALS);
}

/** Refuses unknown calls and all changing ones: the benchmark has no accounts. */
function answerTo(data: unknown): { code: number; msg: string; data?: unknown } {
  return data === undefined ? { code: 0, msg: '' } : { code: 1, msg: '', data };
}

/** A bar as a row. Prices of `bar` are in thousandths. */
function barRow({ time, open, high, low, close, volume }: Bar): KlineRow {
  return {
    Time: time,
    Open: text(open),
    High: text(high),
    Low: text(low),
    Close: text(close),
    Volume: String(volume),
  };
}

function closes(id: number): number[] {
  return Array.from(
    { length: CLOSES },
    (_, i) => 400 + 9 * Math.sin(i / 7 + id) + 3 * Math.sin(i * id),
  );
}

function uniform(count: number, random: () => number): () => number {
  return () => Math.floor(random() * count);
}
