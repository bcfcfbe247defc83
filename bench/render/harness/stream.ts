import type { InstrumentRow } from '#domain/api/market';
import type { CompactTickRow, TickRow } from '#domain/api/socket';
import { fourLetters, randomFrom, zipf } from '#domain/workload/draws';
import { shuffled } from '../../lib/statistics';
import type { Workload } from './workload';

/** The market's clock at the first quote, unix ms. */
export const BEGIN = 1_399_420_800_000;
const DECIMALS = 3;
/**
 * A price does not repeat within this many quotes, so that a text on screen identifies its quote.
 */
const UNLIKE_THE_LAST = 24;

/** The day's open of the first instrument, thousandths: the drawings of usedChart.ts are beside it. */
const FIRST_OPEN = 400_000;

/** Everything that is sent in a run, with the same bytes for each contender. */
export interface Recording {
  instruments: InstrumentRow[];
  /** The present state, sent after the first subscription; its prices differ from the list's. */
  snapshot: string;
  /** Encoded messages, the same in compact rows, and when each is due, ms after the subscription. */
  messages: string[];
  compact: string[];
  due: Float64Array;
  /** Of each quote: instrument (from 0), price in thousandths, message. */
  instrumentOf: Uint16Array;
  priceOf: Int32Array;
  messageOf: Uint32Array;
}

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

/** As the list shows it: with a sign, unless it is zero. */
function shownChange(change: string): string {
  return `${Number(change) > 0 ? '+' : ''}${change}%`;
}

export function record(workload: Workload, seconds: number): Recording {
  const { n, rate, perMessage } = workload;
  const random = randomFrom(workload.seed);
  const codes = Array.from({ length: n }, (_, index) => `${fourLetters(index)}USD`);
  const open = Int32Array.from({ length: n }, () => 200_000 + Math.floor(random() * 600_000));
  open[0] = FIRST_OPEN;
  const close = Int32Array.from(open);
  const recent = new Int32Array(n * UNLIKE_THE_LAST);
  const turn = new Uint8Array(n);

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
      Id: index + 1,
      Code: codes[index] ?? '',
      Close: priceText(close[index] ?? 0),
      Open: priceText(open[index] ?? 0),
      Change: changeText(open[index] ?? 0, close[index] ?? 0),
      Volume: '1',
      Time: Math.round(BEGIN + time),
      MarketStatus: 1,
    };
  }

  const instruments = codes.map((code, index): InstrumentRow => {
    const name = `${code.slice(0, 4)}/USD`;
    const price = priceText(open[index] ?? 0);
    return {
      Id: index + 1,
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
      ForexQuotations: { Open: price, Close: price, Change: '0.00', Time: BEGIN - 1000 },
      NextOpen: '',
    };
  });
  const state = codes.map((_, index) => {
    move(index);
    return tick(index, 0);
  });
  const snapshot = JSON.stringify({ type: 'DAY_MARKET', data: state });

  const draw = drawOf(workload, random);
  const count = Math.floor(rate * seconds);
  const messages: string[] = [];
  const compact: string[] = [];
  const due = new Float64Array(Math.ceil(count / perMessage));
  const instrumentOf = new Uint16Array(count);
  const priceOf = new Int32Array(count);
  const messageOf = new Uint32Array(count);
  for (let quote = 0; quote < count; ) {
    const size = Math.min(perMessage, count - quote);
    // A message is due when its last quote is.
    const second = (quote + size) / rate;
    const at = workload.pace === 'burst' ? Math.floor(second) + (second % 1) / 10 : second;
    const data: TickRow[] = [];
    for (let i = 0; i < size; i++, quote++) {
      const index = draw();
      instrumentOf[quote] = index;
      priceOf[quote] = move(index);
      messageOf[quote] = messages.length;
      data.push(tick(index, at * 1000));
    }
    due[messages.length] = at * 1000;
    messages.push(JSON.stringify({ type: 'DAY_MARKET', data }));
    compact.push(compactMessage(data, () => true));
  }
  return { instruments, snapshot, messages, compact, due, instrumentOf, priceOf, messageOf };
}

/**
 * Price and change of each instrument by name as the screen must show them after this many
 * messages.
 */
export function stateAfter(
  recording: Recording,
  messages: number,
): Map<string, { price: string; change: string }> {
  const { instruments, instrumentOf, messageOf } = recording;
  const state = new Map<string, { price: string; change: string }>();
  const show = ({ Close, Change }: TickRow, index: number) =>
    state.set(instruments[index]?.ShowCode ?? '', { price: Close, change: shownChange(Change) });
  const parse = (text: string) => (JSON.parse(text) as { data: TickRow[] }).data;
  parse(recording.snapshot).forEach(show);
  const missing = new Set(instruments.keys());
  let at = messageOf.findLastIndex((message) => message < messages);
  // Backwards: the last quote of each instrument is enough.
  while (at >= 0 && missing.size > 0) {
    const message = messageOf[at] ?? 0;
    const rows = parse(recording.messages[message] ?? '');
    for (const row of rows.reverse()) {
      const index = instrumentOf[at--] ?? 0;
      if (missing.delete(index)) show(row, index);
    }
  }
  return state;
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
