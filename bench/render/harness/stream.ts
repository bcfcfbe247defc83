import type { InstrumentRow } from '#domain/api/market';
import type { TickRow } from '#domain/api/socket';
import { compactMessage, createStream } from '#domain/workload/stream';
import type { Workload } from '#domain/workload/workload';

/** The market's clock at the first quote, unix ms. */
export const BEGIN = 1_399_420_800_000;

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

/** As the list shows it: with a sign, unless it is zero. */
function shownChange(change: string): string {
  return `${Number(change) > 0 ? '+' : ''}${change}%`;
}

/** All messages of a workload in this many seconds. */
export function record(workload: Workload, seconds: number): Recording {
  const { rate, perMessage } = workload;
  const stream = createStream(workload, BEGIN);
  const snapshot = JSON.stringify({ type: 'DAY_MARKET', data: stream.state(BEGIN) });
  const count = Math.floor(rate * seconds);
  const messages: string[] = [];
  const compact: string[] = [];
  const due = new Float64Array(Math.ceil(count / perMessage));
  const instrumentOf = new Uint16Array(count);
  const priceOf = new Int32Array(count);
  const messageOf = new Uint32Array(count);
  for (let quote = 0; quote < count; ) {
    const next = stream.next(BEGIN, Math.min(perMessage, count - quote));
    instrumentOf.set(next.instruments, quote);
    priceOf.set(next.prices, quote);
    messageOf.fill(messages.length, quote, quote + next.rows.length);
    quote += next.rows.length;
    due[messages.length] = next.due;
    messages.push(JSON.stringify({ type: 'DAY_MARKET', data: next.rows }));
    compact.push(compactMessage(next.rows, () => true));
  }
  const { instruments } = stream;
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
