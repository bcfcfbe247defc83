import {
  QUOTE,
  QUOTE_MARKET_OPEN,
  QUOTE_STALE,
  QUOTE_STRIDE,
  type WorkerEvent,
} from '#domain/worker/workerApi';
import type { Frames } from '../frames/frames';
import type { Instruments } from '../market/instruments';

/** Least time between two prices for a hidden page, ms. */
const PRICE_MS = 1000;
/** Events of which a user who looks elsewhere is notified. */
const NOTIFYING: ReadonlySet<WorkerEvent['type']> = new Set([
  'alert-triggered',
  'margin-warning',
  'order-closed',
]);

const notifies = ({ type }: WorkerEvent) => NOTIFYING.has(type);

/** Gives hidden pages what notifies, and once a second the price of their title. */
export function createHiddenFrames(
  frames: Pick<Frames, 'setHidden' | 'touch'>,
  { list, quotes, subscription }: Pick<Instruments, 'list' | 'quotes' | 'subscription'>,
): { setTitleInstrument(id: number | undefined): void } {
  let title: number | undefined;
  let moved = false;
  let unlisten = () => {};
  let release = () => {};

  frames.setHidden({
    due(events, sentAt) {
      if (events.some(notifies)) return sentAt;
      return moved ? sentAt + PRICE_MS : Number.POSITIVE_INFINITY;
    },
    take(frame, events) {
      if (moved) frame.quotes = quoteOf(title);
      moved = false;
      const shown = events.filter(notifies);
      if (shown.length > 0) frame.events = shown;
      return events.filter((event) => !notifies(event));
    },
  });

  function quoteOf(id = 0): Float64Array {
    const slot = list.slot(id);
    if (slot === undefined) return new Float64Array();
    const numbers = new Float64Array(QUOTE_STRIDE);
    const { close, open, change, time, marketOpen } = quotes.quote(slot);
    numbers[QUOTE.id] = id;
    numbers[QUOTE.close] = close;
    numbers[QUOTE.open] = open;
    numbers[QUOTE.change] = change;
    numbers[QUOTE.time] = time ?? Number.NaN;
    numbers[QUOTE.arrived] = quotes.arrived(slot);
    numbers[QUOTE.flags] =
      (marketOpen ? QUOTE_MARKET_OPEN : 0) | (quotes.isStale(slot) ? QUOTE_STALE : 0);
    return numbers;
  }

  return {
    setTitleInstrument(id) {
      unlisten();
      release();
      title = id;
      moved = false;
      release = id === undefined ? () => {} : subscription.retain(id, true);
      const slot = id === undefined ? undefined : list.slot(id);
      if (slot === undefined) return;
      unlisten = quotes.listen(slot, () => {
        if (moved) return;
        moved = true;
        frames.touch();
      });
    },
  };
}
