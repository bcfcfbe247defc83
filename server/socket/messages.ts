import { z } from 'zod';
import type { PrivateTopic } from '#domain/api/socket';
import type { Instrument } from '#domain/market/instrument';

const topic = z.string().max(100);
const DAY_MS = 86_400_000;
/** A number or its text (protocol.md#numbers). */
const interval = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,8}$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(DAY_MS));
const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({
    type: z.literal('sub'),
    topic,
    codes: z.array(z.string().max(100)).optional(),
    interval: interval.optional(),
  }),
  z.object({ type: z.literal('unsub'), topic }),
  // A login without a token is a failed login, not an unknown message (D66).
  z.object({ type: z.literal('login'), token: z.string().default('') }),
  z.object({ type: z.literal('logout') }),
]);

/** A message of a client (protocol.md#websocket). */
export type ClientMessage = z.output<typeof message>;

/** Returns undefined for anything that is not a message of the protocol. Never throws. */
export function readMessage(text: string): ClientMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return message.safeParse(value).data;
}

export type KnownTopic =
  | { kind: 'quotes' }
  | { kind: 'bars'; instrument: Instrument }
  | { kind: 'private'; topic: PrivateTopic };

/** Undefined for an unknown topic or code. */
export function readTopic(
  text: string,
  byCode: ReadonlyMap<string, Instrument>,
): KnownTopic | undefined {
  if (text === 'DAY_MARKET') return { kind: 'quotes' };
  if (text === 'FOREX_TRADE' || text === 'FOREX_CLOSED') return { kind: 'private', topic: text };
  if (!text.startsWith('KLINE.')) return undefined;
  const instrument = byCode.get(text.slice('KLINE.'.length));
  return instrument && { kind: 'bars', instrument };
}
