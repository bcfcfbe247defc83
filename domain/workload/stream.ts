import type { InstrumentRow } from '../api/market';
import type { CompactTickRow, TickRow } from '../api/socket';
import { fourLetters, randomFrom, shuffled, zipf } from './draws';
import type { Workload } from './workload';

const DECIMALS = 3;
/**
 * A price does not repeat within this many quotes, so that a text on screen identifies its quote.
 */
const UNLIKE_THE_LAST = 24;

/** The day's open of the first instrument, thousandths: the drawings of usedChart.ts are beside it. */
const FIRST_OPEN = 400_000;

/** Some quotes that are sent together. */
export interface StreamMessage {
  /** Ms after the first subscription: when the last of its quotes is due. */
  due: number;
  rows: TickRow[];
  /** Of each quote: instrument (from 0), price in thousandths. */
  instruments: number[];
  prices: number[];
}

/** The seeded market of a workload. The same workload gives the same quotes everywhere. */
export interface Stream {
  instruments: InstrumentRow[];
  /** The present state of all instruments; before the first message its prices differ from the list's. */
  state(time: number): TickRow[];
  /** The next message, with fewer quotes than usual where `size` says so. `begin` is the market's clock at the subscription, unix ms. */
  next(begin: number, size?: number): StreamMessage;
}

/** A price in thousandths as the wire has it. */
export function priceText(thousandths: number): string {
  return (thousandths / 10 ** DECIMALS).toFixed(DECIMALS);
}

/** Whether arithmetic with doubles may round the change up or down. */
function isNearTie(open: number, close: number): boolean {
  const cents = Math.abs(((close - open) / open) * 10_000);
  return Math.abs(cents - Math.floor(cents) - 0.5) < 1e-6;
}

/** In compact rows (protocol.md#compact-quotes); `isTold`: the socket knows the rest of this row's instrument. */
export function compactMessage(rows: readonly TickRow[], isTold: (id: number) => boolean): string {
  const data = rows.map(
    ({ Id, Close, Time, Volume, Open, MarketStatus }): CompactTickRow =>
      isTold(Id) ? [Id, Close, Time, Volume] : [Id, Close, Time, Volume, Open, MarketStatus],
  );
  return JSON.stringify({ type: 'DM', data });
}

/** Percent with two decimals, without a negative zero. */
function changeText(open: number, close: number): string {
  const text = (((close - open) / open) * 100).toFixed(2);
  return text === '-0.00' ? '0.00' : text;
}

/** Opens the market of a workload. `begin` is its clock, unix ms; the first instrument has the id `firstId`. */
export function createStream(workload: Workload, begin: number, firstId = 1): Stream {
  const { n, rate, perMessage } = workload;
  const random = randomFrom(workload.seed);
  const codes = Array.from({ length: n }, (_, index) => `${fourLetters(index)}USD`);
  const open = Int32Array.from({ length: n }, () => 200_000 + Math.floor(random() * 600_000));
  open[0] = FIRST_OPEN;
  const close = Int32Array.from(open);
  const recent = new Int32Array(n * UNLIKE_THE_LAST);
  const turn = new Uint8Array(n);
  let quotes = 0;

  /** A step of up to 0.04, towards the open when far from it. */
  function move(index: number): number {
    const begin = open[index] ?? 0;
    const from = close[index] ?? 0;
    const at = index * UNLIKE_THE_LAST;
    const last = recent.subarray(at, at + UNLIKE_THE_LAST);
    for (;;) {
      const far = (from - begin) / begin;
      const up = random() < 0.5 - far * 20;
      const next = from + (up ? 1 : -1) * (1 + Math.floor(random() * 40));
      if (last.includes(next) || isNearTie(begin, next)) continue;
      close[index] = next;
      const slot = turn[index] ?? 0;
      last[slot] = next;
      turn[index] = (slot + 1) % UNLIKE_THE_LAST;
      return next;
    }
  }

  function tick(index: number, time: number): TickRow {
    return {
      Id: firstId + index,
      Code: codes[index] ?? '',
      Close: priceText(close[index] ?? 0),
      Open: priceText(open[index] ?? 0),
      Change: changeText(open[index] ?? 0, close[index] ?? 0),
      Volume: '1',
      Time: Math.round(time),
      MarketStatus: 1,
    };
  }

  const instruments = codes.map((code, index): InstrumentRow => {
    const name = `${code.slice(0, 4)}/USD`;
    const price = priceText(open[index] ?? 0);
    return {
      Id: firstId + index,
      Code: code,
      ShowCode: name,
      Logo: '',
      CategoryId: 1 + (index % 4),
      MarketStatus: 1,
      PricePrecision: DECIMALS,
      Pip: '0.01',
      ForexMinCont: '0.01',
      ForexContNum: '100',
      MarginMode: 0,
      HasForexMultiple: [{ Value: '50' }, { Value: '100' }],
      ForexFeeRate: '5',
      ForexQuotations: { Open: price, Close: price, Change: '0.00', Time: begin - 1000 },
      NextOpen: '',
    };
  });
  for (const index of codes.keys()) move(index);
  const draw = drawOf(workload, random);

  return {
    instruments,
    state: (time) => codes.map((_, index) => tick(index, time)),
    next(beganAt, size = perMessage) {
      quotes += size;
      const second = quotes / rate;
      const due =
        (workload.pace === 'burst' ? Math.floor(second) + (second % 1) / 10 : second) * 1000;
      const message: StreamMessage = { due, rows: [], instruments: [], prices: [] };
      for (let i = 0; i < size; i++) {
        const index = draw();
        message.instruments.push(index);
        message.prices.push(move(index));
        message.rows.push(tick(index, beganAt + due));
      }
      return message;
    },
  };
}

function drawOf(workload: Workload, random: () => number): () => number {
  if (workload.inSight > 0) return apart(workload, random);
  if (workload.first > 0) return firstAside(workload, random);
  return workload.spread === 'zipf' ? zipf(workload.n, random) : evenly(workload.n, random);
}

/**
 * Visible rows get the same quotes at the same times; the others go to rows so far below that no
 * page has rendered them.
 */
function apart({ n, rate, rows, inSight, seed }: Workload, random: () => number): () => number {
  const below = Math.min(n, 2 * rows);
  const seen = evenly(Math.min(n, rows), randomFrom(seed));
  const others = evenly(n - below, random);
  const seenOf = (quotes: number) => Math.floor((quotes * inSight) / rate);
  let quotes = 0;
  return () => {
    quotes += 1;
    return below === n || seenOf(quotes) > seenOf(quotes - 1) ? seen() : below + others();
  };
}

/** The first instruments get their quotes at even times and in turns, all others the rest. */
function firstAside({ n, rate, first, firsts }: Workload, random: () => number): () => number {
  const others = evenly(n - firsts, random);
  const firstOf = (quotes: number) => Math.floor((quotes * first * firsts) / rate);
  let quotes = 0;
  return () => {
    quotes += 1;
    const turn = firstOf(quotes - 1);
    return firstOf(quotes) > turn ? turn % firsts : firsts + others();
  };
}

/** Every instrument once before any repeats, in changing order. */
function evenly(n: number, random: () => number): () => number {
  let order = Array.from({ length: n }, (_, index) => index);
  let at = n;
  return () => {
    if (at === n) {
      order = shuffled(order, random);
      at = 0;
    }
    return order[at++] ?? 0;
  };
}
