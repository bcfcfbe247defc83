import * as v from 'valibot';
import { alert } from '#domain/api/alerts';
import { amount, code, optional, text, whole } from '#domain/api/fields';
import { kline } from '#domain/api/market';
import { type Schema, type Sent, value } from '#domain/api/schema';
import type { CompactTickRow, ServerMessage } from '#domain/api/socket';
import { order } from '#domain/api/trading';
import { readDecimal } from '#domain/core/readAmounts';

const decimal = amount(readDecimal);
const status = code(0, 1);

const tick = v.pipe(
  v.object({
    Id: whole,
    Code: text,
    Close: decimal,
    Open: decimal,
    Change: decimal,
    Volume: decimal,
    Time: whole,
    MarketStatus: status,
    Bid: optional(decimal),
    Ask: optional(decimal),
  }),
  v.title('Tick'),
);

/** Open, MarketStatus, Bid and Ask are present only if they changed (protocol.md#compact-quotes): the type of `v.tuple` does not say so. */
const compactTick = v.pipe(
  v.tuple([
    whole,
    decimal,
    whole,
    decimal,
    v.optional(v.nullable(decimal)),
    v.optional(v.nullable(status)),
    v.optional(v.nullable(decimal)),
    v.optional(v.nullable(decimal)),
  ]) as v.GenericSchema as Schema<CompactTickRow, unknown>,
  v.metadata({ title: 'CompactTick', minItems: 4, maxItems: 8, items: false }),
);

/** The type of a message. */
export const typed = <const T extends string>(type: T) =>
  value<T, T>({ type: 'string', const: type }, (sent) => (sent === type ? type : undefined));

const klineTopic = value<`KLINE.${string}`, string>(
  { type: 'string', pattern: '^KLINE\\..+$' },
  (sent) => (/^KLINE\..+$/.test(String(sent)) ? String(sent) : undefined),
);

const messages = {
  pong: v.object({ type: typed('pong'), now: optional(whole), wall: optional(whole) }),
  quotes: v.object({ type: typed('DAY_MARKET'), data: v.union([tick, v.array(tick)]) }),
  compactQuotes: v.object({ type: typed('DM'), data: v.array(compactTick) }),
  kline: v.object({ type: klineTopic, data: kline }),
  orderChanged: v.object({ type: typed('FOREX_TRADE'), data: order }),
  orderClosed: v.object({
    type: typed('FOREX_CLOSED'),
    data: v.object({ Id: whole, Order: order }),
  }),
  alertTriggered: v.object({ type: typed('FOREX_ALERT'), data: alert }),
  settingsChanged: v.object({ type: typed('SETTINGS'), data: v.object({ revision: whole }) }),
  loggedIn: v.object({ type: typed('login'), code: code(1, 999) }),
  error: v.object({ type: typed('error'), msg: text }),
};

type Messages = typeof messages;
type Message = Messages[keyof Messages];

/** Whether two types are the same, optional and readonly fields included. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * What the server sends (protocol.md#websocket), by the names of the document. Does not compile where the
 * schemas differ from `ServerMessage`.
 */
export const serverMessages: Equal<Sent<Message>, ServerMessage> extends true ? Messages : never =
  messages;
