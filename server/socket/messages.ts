import * as v from 'valibot';
import { parse, type Read, type Sent, value } from '#domain/api/schema';
import {
  LONGEST_IN_ADDRESS,
  MOST_IN_ADDRESS,
  type PrivateTopic,
  type ClientMessage as SentMessage,
  type Topic,
} from '#domain/api/socket';
import { readJson } from '#domain/core/json';
import { DAY_MS } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { typed } from '../api/socket';

const LONGEST_NAME = 100;
const topic = value<Topic, string>(
  { type: 'string', pattern: '^(DAY_MARKET|FOREX_TRADE|FOREX_CLOSED|KLINE\\..+)$' },
  (sent) => (typeof sent === 'string' && sent.length <= LONGEST_NAME ? sent : undefined),
);
/** A number or its text (protocol.md#numbers). */
const interval = value<number, number>({ type: 'number', minimum: 0, maximum: DAY_MS }, (sent) => {
  const number = typeof sent === 'string' && /^\d{1,8}$/.test(sent) ? Number(sent) : sent;
  return typeof number === 'number' && number >= 0 && number <= DAY_MS ? number : undefined;
});
/** 1 or 0, in either form of a number. */
const flag = value<0 | 1, number>({ type: 'integer', enum: [0, 1] }, (sent) =>
  typeof sent === 'number' || typeof sent === 'string' ? Number(sent) : undefined,
);

/** What a client sends (protocol.md#websocket), by the names of the document. */
export const clientMessages = {
  ping: v.object({ type: typed('ping') }),
  subscribe: v.object({
    type: typed('sub'),
    topic,
    codes: v.optional(v.array(v.pipe(v.string(), v.maxLength(LONGEST_NAME)))),
    interval: v.optional(interval),
    compact: v.optional(flag),
  }),
  unsubscribe: v.object({ type: typed('unsub'), topic }),
  // A login without a token is a failed login, not an unknown message.
  login: v.object({ type: typed('login'), token: v.optional(v.string(), '') }),
  logout: v.object({ type: typed('logout') }),
};

const { ping, subscribe, unsubscribe, login, logout } = clientMessages;
const anyMessage = v.variant('type', [ping, subscribe, unsubscribe, login, logout]);

/** Does not compile where it would refuse a message that clients send. */
const message: SentMessage extends Sent<typeof anyMessage> ? typeof anyMessage : never = anyMessage;

/** A message of a client (protocol.md#websocket). */
export type ClientMessage = Read<typeof anyMessage>;

/** Returns undefined for anything that is not a message of the protocol. Never throws. */
export function readMessage(text: string): ClientMessage | undefined {
  return parse(message, readJson(text));
}

const subscriptions = v.pipe(v.array(subscribe), v.maxLength(MOST_IN_ADDRESS));

/** What the address of a socket subscribes (protocol.md#subscriptions-in-the-address); undefined where that is no list of subscriptions. */
export function readSubscriptions(url: string): ClientMessage[] | undefined {
  const text = new URLSearchParams(url.split('?')[1]).get('sub');
  if (text === null) return [];
  return text.length > LONGEST_IN_ADDRESS ? undefined : parse(subscriptions, readJson(text));
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
