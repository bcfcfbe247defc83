import { batchCandles, batchTicksToCandle } from 'candlestick-convert';
import ccxt from 'ccxt';
import { resampleTicksByTime } from 'ohlc-resample';
import { emptyBar } from '#domain/api/read-market';
import { toUnixSeconds } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/period';
import { randomFrom } from '#domain/workload/draws';
import { Bars } from '../workers/market/bars';
import { allocation } from './lib/allocation';
import { type Contender, compare, type Outcome } from './lib/measure';

/** A quote in the form of the peers, with milliseconds. */
interface Trade {
  time: number;
  price: number;
  quantity: number;
}

/** Numbers of a quote in our form: time in seconds, price, volume. */
const STRIDE = 3;
/** Quotes in a message. */
const MESSAGE = 20;
const CCXT_PERIODS = ['1m', '5m', '15m', '30m', '1h', '1d'];

/** Two days of irregular quotes on a five-digit grid, about two seconds apart. */
function quotes(count: number, seed: number): Float64Array {
  const random = randomFrom(seed);
  const numbers = new Float64Array(count * STRIDE);
  let time = 1_399_420_800_000;
  let price = 139_286;
  for (let at = 0; at < numbers.length; at += STRIDE) {
    time += Math.floor(random() * 4000);
    price += Math.floor(random() * 5) - 2;
    numbers[at] = time / 1000;
    numbers[at + 1] = price / 100_000;
    numbers[at + 2] = 1;
  }
  return numbers;
}

/**
 * As in the app: the server folds quotes into the open minute, the worker folds minutes into larger
 * bars.
 */
class Klines {
  readonly #open = emptyBar();
  #end = Number.NEGATIVE_INFINITY;
  readonly #minutes = new Bars();
  readonly #larger = PERIODS.slice(1).map((period) => ({ period, bars: new Bars() }));
  #foldedTo = toUnixSeconds(Number.NEGATIVE_INFINITY);

  get all(): Bars[] {
    return [this.#minutes, ...this.#larger.map(({ bars }) => bars)];
  }

  add(numbers: Float64Array, from = 0, to = numbers.length): void {
    const open = this.#open;
    for (let at = from; at < to; at += STRIDE) {
      const time = toUnixSeconds(numbers[at] as number);
      const price = numbers[at + 1] as number;
      const volume = numbers[at + 2] as number;
      if (time < this.#end) {
        foldTick(open, price, volume);
        continue;
      }
      if (open.time > 0) this.#minutes.put(open);
      open.time = barStart('1min', time);
      open.open = open.high = open.low = open.close = price;
      open.volume = volume;
      this.#end = open.time + PERIOD_SECONDS['1min'];
    }
    this.#minutes.put(open);
    for (const { period, bars } of this.#larger) bars.fold(this.#minutes, period, this.#foldedTo);
    this.#foldedTo = open.time;
  }
}

/** Bars of all six periods from the same quotes. */
export async function klines(rounds: number, seed: number): Promise<Outcome> {
  const input = quotes(100_000, seed);
  // Each contender gets parsed quotes in its own form; preparing them is not measured.
  const trades: Trade[] = [];
  for (let at = 0; at < input.length; at += STRIDE) {
    const [seconds = 0, price = 0, quantity = 0] = input.subarray(at, at + STRIDE);
    trades.push({ time: Math.round(seconds * 1000), price, quantity });
  }
  const times = trades.map(({ time }) => time);
  const ccxtTrades = trades.map(({ time, price, quantity }) => ({
    timestamp: time,
    price,
    amount: quantity,
  }));
  const exchange = new ccxt.Exchange();
  exact(input);

  // candlestick-convert overwrites the times of the trades it gets.
  const prepare = () => {
    for (const [index, trade] of trades.entries()) trade.time = times[index] as number;
  };
  const contenders: [Contender, ...Contender[]] = [
    {
      name: 'candlestick-convert',
      prepare,
      run: () => PERIODS.map((period) => batchTicksToCandle(trades, PERIOD_SECONDS[period], true)),
      read: (result) => (result as Bar[][]).map((bars) => bars.map(row)),
    },
    {
      name: 'candlestick-convert, larger periods from its minutes',
      prepare,
      run() {
        const minutes = batchTicksToCandle(trades, PERIOD_SECONDS['1min'], true).map(
          ({ time, open, high, low, close, volume }): Tuple => [
            time,
            open,
            high,
            low,
            close,
            volume,
          ],
        );
        return PERIODS.map((period) =>
          period === '1min'
            ? minutes
            : batchCandles(minutes, PERIOD_SECONDS['1min'], PERIOD_SECONDS[period], true),
        );
      },
      read: readTuples,
    },
    {
      name: 'ohlc-resample',
      prepare,
      run: () =>
        PERIODS.map((period) => resampleTicksByTime(trades, { timeframe: PERIOD_SECONDS[period] })),
      read: (result) => (result as Bar[][]).map((bars) => bars.map(row)),
    },
    {
      name: 'ccxt buildOHLCVC',
      run: () => CCXT_PERIODS.map((period) => exchange.buildOHLCVC(ccxtTrades as never, period)),
      read: readTuples,
    },
    {
      name: 'Fulcrum',
      run() {
        const klines = new Klines();
        klines.add(input);
        return klines.all;
      },
      read: (result) => (result as Bars[]).map((bars) => unpacked(bars).map(inMs).map(row)),
    },
  ];
  return {
    ...compare('klines', `six periods from ${trades.length} parsed quotes`, contenders, {
      rounds,
      seed,
    }),
    facts: await allocation(streaming(input)),
  };
}

/** Folds one message of quotes after another, endlessly; all six periods are current after each. */
function streaming(input: Float64Array): () => number {
  const klines = new Klines();
  const span = PERIOD_SECONDS['1day'] * 3;
  let at = 0;
  return () => {
    klines.add(input, at, at + MESSAGE * STRIDE);
    at += MESSAGE * STRIDE;
    if (at < input.length) return MESSAGE;
    for (at = 0; at < input.length; at += STRIDE) input[at] = (input[at] as number) + span;
    at = 0;
    return MESSAGE;
  };
}

type Tuple = [number, number, number, number, number, number];

/** candlestick-convert opens a bar at the previous close, so opens are not compared. */
const row = ({ time, high, low, close, volume }: Bar) => [time, high, low, close, volume];
const inMs = (bar: Bar): Bar => ({ ...bar, time: toUnixSeconds(bar.time * 1000) });

function readTuples(result: unknown) {
  return (result as Tuple[][]).map((bars) =>
    bars.map(([time, , high, low, close, volume]) => [time, high, low, close, volume]),
  );
}

function unpacked(bars: Bars): Bar[] {
  return Array.from({ length: bars.length }, (_, index) => {
    const bar = emptyBar();
    bars.read(index, bar);
    return bar;
  });
}

/**
 * Our bars equal the plain fold of all quotes, opens included, however the quotes are split into
 * messages.
 */
function exact(input: Float64Array): void {
  const whole = new Klines();
  whole.add(input);
  const cut = new Klines();
  for (let at = 0; at < input.length; at += MESSAGE * STRIDE) {
    cut.add(input, at, Math.min(input.length, at + MESSAGE * STRIDE));
  }
  for (const klines of [whole, cut]) {
    for (const [index, period] of PERIODS.entries()) {
      const ours = JSON.stringify(unpacked(klines.all[index] as Bars));
      if (ours !== JSON.stringify(plainFold(input, period))) {
        throw new Error(`klines: ${period} is not the fold of the quotes`);
      }
    }
  }
}

function plainFold(input: Float64Array, period: Period): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at < input.length; at += STRIDE) {
    const [time = 0, price = 0, volume = 0] = input.subarray(at, at + STRIDE);
    const start = barStart(period, toUnixSeconds(time));
    const last = bars.at(-1);
    if (last?.time === start) foldTick(last, price, volume);
    else bars.push(barFromTick(start, price, volume));
  }
  return bars;
}
