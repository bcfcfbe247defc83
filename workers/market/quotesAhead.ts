import { decodeMessage, emptyTick, readTick, type TickRow } from '#domain/api/socket';
import { readInteger } from '#domain/core/read';
import { QUOTE_MARKET_OPEN } from '#domain/worker/workerApi';

/**
 * Reads the quotes of each message that comes before the rest of the worker, as frames have them (`QUOTE`), by the rules of
 * `Quotes` (D130); undefined where a message has none. What a row leaves out is not known here: such a row waits.
 */
export function createQuotesAhead(): (data: unknown, now: number) => Float64Array | undefined {
  const tick = emptyTick();
  const newest = new Map<number, number>();

  return (data, now) => {
    const message = decodeMessage(data);
    if (typeof message === 'string' || message.type !== 'DAY_MARKET') return undefined;
    const numbers: number[] = [];
    for (const row of [message['data']].flat()) {
      if (!readTick(row, tick)) continue;
      const id = readInteger((row as TickRow).Id);
      const { close, open, change, time, marketOpen } = tick;
      if (id === undefined || !(open > 0 && time >= (newest.get(id) ?? 0))) continue;
      if (Number.isNaN(change) || marketOpen === undefined) continue;
      newest.set(id, time);
      const flags = marketOpen ? QUOTE_MARKET_OPEN : 0;
      numbers.push(id, close || Number.NaN, open, change, time, now, flags);
    }
    return numbers.length > 0 ? new Float64Array(numbers) : undefined;
  };
}
