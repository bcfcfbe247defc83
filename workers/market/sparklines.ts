import { type Result, success } from '#domain/core/result';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/ports';

const CACHED_MS = toDurationMs(60_000);
/** The most ids of one request (protocol.md#sparklines). */
const MOST_IDS = 100;

/** Closes of the last 24 h, fetched at most once a minute, many instruments in one request. */
export function createSparklines(
  clock: Clock,
  fetchLines: (ids: readonly number[]) => Promise<Result<Map<number, Float32Array>>>,
) {
  const cached = new Map<number, { at: UnixMs; line: Float32Array }>();
  const inFlight = new Map<number, Promise<Result<unknown>>>();

  async function fetch(ids: number[]): Promise<Result<unknown>> {
    const result = await fetchLines(ids);
    const at = clock.now();
    for (const [id, known] of cached) if (at - known.at >= CACHED_MS) cached.delete(id);
    for (const id of ids) {
      inFlight.delete(id);
      // An instrument missing from the answer has no closes: it is cached as empty.
      if (result.ok) cached.set(id, { at, line: result.data.get(id) ?? new Float32Array() });
    }
    return result;
  }

  return async (ids: readonly number[]): Promise<Result<Record<number, Float32Array>>> => {
    const distinct = [...new Set(ids)];
    const missing = distinct.filter((id) => {
      const known = cached.get(id);
      return !inFlight.has(id) && !(known && clock.now() - known.at < CACHED_MS);
    });
    for (let at = 0; at < missing.length; at += MOST_IDS) {
      const chunk = missing.slice(at, at + MOST_IDS);
      const request = fetch(chunk);
      for (const id of chunk) inFlight.set(id, request);
    }
    const requests = new Set(distinct.map((id) => inFlight.get(id)));
    for (const request of requests) {
      const result = await request;
      if (result && !result.ok) return result;
    }
    const lines: Record<number, Float32Array> = {};
    for (const id of distinct) {
      const known = cached.get(id);
      if (known) lines[id] = known.line;
    }
    return success(lines);
  };
}
