import { batchTicksToCandle } from 'candlestick-convert';
import { type Bar, barFromTick, barStart, foldTick, PERIOD_SECONDS, PERIODS } from '#domain/kline';
import { compare, type Outcome } from './lib/measure';
import { randomFrom } from './lib/random';

interface Trade {
  /** Unix milliseconds, as the peer wants them. */
  time: number;
  price: number;
  quantity: number;
}

/** A day of irregular quotes on a five-digit grid. */
function trades(count: number, seed: number): Trade[] {
  const random = randomFrom(seed);
  let time = 1_399_420_800_000;
  let price = 139_286;
  return Array.from({ length: count }, () => {
    time += Math.floor(random() * 4000);
    price += Math.floor(random() * 5) - 2;
    return { time, price: price / 100_000, quantity: 1 };
  });
}

/** The peer opens each bar at the close before it, so opens are left out of the gate. */
const row = (seconds: number, bar: Bar) => [seconds, bar.high, bar.low, bar.close, bar.volume];

/** Bars of all six periods from the same quotes. */
export function klines(rounds: number, seed: number): Outcome {
  const input = trades(20_000, seed);
  // The peer writes into the trades it is given; both get a copy, so the ratio flatters the peer.
  const copy = () => input.map((trade) => ({ ...trade }));
  return compare(
    'klines',
    `six periods from ${input.length} quotes, the copy of the input included`,
    [
      {
        name: 'candlestick-convert',
        run: () =>
          PERIODS.map((period) =>
            batchTicksToCandle(copy(), PERIOD_SECONDS[period], true).map((bar) =>
              row(bar.time / 1000, bar),
            ),
          ),
      },
      {
        name: 'Fulcrum domain/kline',
        run: () => PERIODS.map((period) => fold(copy(), period).map((bar) => row(bar.time, bar))),
      },
    ],
    { rounds, seed },
  );
}

function fold(input: readonly Trade[], period: (typeof PERIODS)[number]): Bar[] {
  const bars: Bar[] = [];
  let open: Bar | undefined;
  for (const { time, price, quantity } of input) {
    const start = barStart(period, time / 1000);
    if (open?.time === start) foldTick(open, price, quantity);
    else {
      open = barFromTick(start, price, quantity);
      bars.push(open);
    }
  }
  return bars;
}
