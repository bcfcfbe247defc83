import { z } from 'zod';
import type { ClientMessage as ClientMessageRow, PrivateTopic } from '#domain/api/socket';
import { toDurationMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { describedAs } from '../api/jsonSchema';
import type { Accepts } from '../api/schema';

const topic = describedAs(z.string().max(100), {
  type: 'string',
  pattern: '^(DAY_MARKET|FOREX_TRADE|FOREX_CLOSED|KLINE\\..+)$',
});
const DAY_MS = toDurationMs(86_400_000);
/** A number or its text (protocol.md#numbers). */
const interval = describedAs(
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,8}$/)
        .transform(Number),
    ])
    .pipe(z.number().min(0).max(DAY_MS)),
  { type: 'number', minimum: 0, maximum: DAY_MS },
);
/** 1 or 0, in either form of a number. */
const flag = describedAs(z.union([z.number(), z.string()]).transform(Number), {
  type: 'integer',
  enum: [0, 1],
});

/** What a client sends (protocol.md#websocket), by the names of the document. */
export const clientMessages = {
  ping: z.object({ type: z.literal('ping') }),
  subscribe: z.object({
    type: z.literal('sub'),
    topic,
    codes: z.array(z.string().max(100)).optional(),
    interval: interval.optional(),
    compact: flag.optional(),
  }),
  unsubscribe: z.object({ type: z.literal('unsub'), topic }),
  // A login without a token is a failed login, not an unknown message.
  login: z.object({ type: z.literal('login'), token: z.string().default('') }),
  logout: z.object({ type: z.literal('logout') }),
};

const { ping, subscribe, unsubscribe, login, logout } = clientMessages;
const anyMessage = z.discriminatedUnion('type', [ping, subscribe, unsubscribe, login, logout]);

/** Does not compile where it would refuse a message that clients send. */
const message: Accepts<ClientMessageRow, typeof anyMessage> = anyMessage;

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
