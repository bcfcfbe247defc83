import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MarketView } from '../market/market';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { decodePart, encodePart } from './marketUpdate';

/** What never changes about a market while its feed runs. */
export type MarketDescription = Pick<
  MarketView,
  'feed' | 'instruments' | 'categories' | 'byMinute' | 'hasBook'
>;

/** Of a part, so that a message stays below NATS' usual limit of 1 MiB. */
const PART_BYTES = 512 * 1024;

/**
 * What readers compare: a feed of another identity has other instruments, or prices with both sides, by which a reader that begins
 * anew lets orders fill. Details and order are no part of it: those of a live market depend on the turnover of the moment, and on which
 * exchanges could be reached at the start.
 */
export function identityOf({
  feed,
  instruments,
  hasBook = false,
}: Pick<MarketView, 'feed' | 'instruments' | 'hasBook'>): string {
  const names = instruments.map(({ id, code }): [number, string] => [id, code]);
  names.sort(([a], [b]) => a - b);
  // Without a book as former releases have it.
  return digestOf(toJson(hasBook ? [feed, names, 'book'] : [feed, names]));
}

/** Answers those who ask what the market is. It grows with the number of instruments, so it is told part by part. */
export function answerDescription(bus: Bus, market: MarketDescription): void {
  const { feed, instruments, categories, byMinute = false, hasBook = false } = market;
  const description: MarketDescription = { feed, instruments, categories, byMinute, hasBook };
  const packed = gzipSync(toJson(description));
  const digest = digestOf(packed);
  bus.answer(SUBJECTS.description, (question) => {
    const from = fromJson<number>(question);
    const bytes = packed.subarray(from, from + PART_BYTES);
    return encodePart({ digest, total: packed.length, bytes });
  });
}

/** Rejects while no feed answers, and where another one with another description has taken over in between. */
export async function askDescription(bus: Bus): Promise<MarketDescription> {
  const partFrom = async (from: number) =>
    decodePart(await bus.ask(SUBJECTS.description, toJson(from)));
  const { digest, total, bytes } = await partFrom(0);
  const parts = [bytes];
  for (let read = bytes.length; read < total; ) {
    const part = await partFrom(read);
    if (part.digest !== digest) throw new Error('another feed answers now');
    if (part.bytes.length === 0) throw new Error('the market is not told to its end');
    parts.push(part.bytes);
    read += part.bytes.length;
  }
  return fromJson(gunzipSync(Buffer.concat(parts)));
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
