import * as v from 'valibot';
import { z } from 'zod';
import { whole as sentWhole } from '#domain/api/fields';
import type { Sent } from '#domain/api/schema';
import type { ServerMessage } from '#domain/api/socket';
import { order } from '#domain/api/trading';
import { alert } from './alerts';
import { codes, decimalText, text, whole } from './fields';
import { kline } from './market';
import type { Equal } from './schema';

const tick = z
  .object({
    Id: whole,
    Code: text,
    Close: decimalText,
    Open: decimalText,
    Change: decimalText,
    Volume: decimalText,
    Time: whole,
    MarketStatus: codes(0, 1),
    Bid: decimalText.optional(),
    Ask: decimalText.optional(),
  })
  .meta({ id: 'Tick' });

/** Open, MarketStatus, Bid and Ask are present only if they changed (protocol.md#compact-quotes). */
const compactTick = z
  .tuple([
    whole,
    decimalText,
    whole,
    decimalText,
    decimalText.nullable().optional(),
    codes(0, 1).nullable().optional(),
    decimalText.nullable().optional(),
    decimalText.nullable().optional(),
  ])
  .meta({ id: 'CompactTick' });

const messages = {
  pong: z.object({ type: z.literal('pong'), now: whole.optional(), wall: whole.optional() }),
  quotes: z.object({ type: z.literal('DAY_MARKET'), data: z.union([tick, z.array(tick)]) }),
  compactQuotes: z.object({ type: z.literal('DM'), data: z.array(compactTick) }),
  kline: z.object({ type: z.templateLiteral(['KLINE.', z.string().min(1)]), data: kline }),
  orderChanged: v.object({ type: v.literal('FOREX_TRADE'), data: order }),
  orderClosed: v.object({
    type: v.literal('FOREX_CLOSED'),
    data: v.object({ Id: sentWhole, Order: order }),
  }),
  alertTriggered: z.object({ type: z.literal('FOREX_ALERT'), data: alert }),
  loggedIn: z.object({ type: z.literal('login'), code: codes(1, 999) }),
  error: z.object({ type: z.literal('error'), msg: text }),
};

type Messages = typeof messages;
type Message = Messages[keyof Messages];
type SentOf<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends v.GenericSchema
    ? Sent<Schema>
    : never;

/**
 * What the server sends (protocol.md#websocket), by the names of the document. Does not compile where the
 * schemas differ from `ServerMessage`.
 */
export const serverMessages: Equal<SentOf<Message>, ServerMessage> extends true ? Messages : never =
  messages;
