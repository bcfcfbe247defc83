/** The market calls (protocol.md#market-calls) and their rows. */
import * as v from 'valibot';
import { readDrawnPrice, readFields, readInteger, readRows, readText } from '../core/read';
import { readDecimal } from '../core/readAmounts';
import * as hot from '../market/endpoints';
import { CLOCK_TEXT, minutesOf, type OpenHours } from '../market/hours';
import { PERIODS } from '../market/period';
import { type Asked, call } from './call';
import {
  amount,
  amountOrZero,
  code,
  DECIMAL,
  flag,
  knownText,
  optional,
  optionalTime,
  picture,
  rows,
  text,
  whole,
  wholeOrZero,
} from './fields';
import * as params from './params';
import { lenient, type Read, type Sent, value } from './schema';

const category = v.pipe(
  v.object({ Id: whole, NameShowTrans: knownText }),
  v.title('Category'),
  v.transform(({ Id: id, NameShowTrans: name }) => ({ id, name })),
);

/** A group of instruments (protocol.md#category). */
export type Category = Read<typeof category>;

/** Categories in the user's language (protocol.md#categories). */
export const categoryList = call({
  method: 'GET',
  path: '/v1/api/forex/getCategories',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: rows(category),
});

const decimal = amount(readDecimal);

const drawn = amountOrZero(readDecimal);

const minutes = value<string, number>({ type: 'string', pattern: CLOCK_TEXT.source }, (sent) =>
  minutesOf(readText(sent) ?? ''),
);

const isWeekday = (day: number) => day >= 0 && day <= 6;
const weekday = v.pipe(code(0, 1, 2, 3, 4, 5, 6), v.check(isWeekday));

const MIDNIGHT = 24 * 60;

/** Hours from a day on: a `Close` that is not after `Open` is of the next day. */
const openHours = v.pipe(
  v.object({
    /** 0 is Sunday. */
    Day: weekday,
    Open: minutes,
    Close: minutes,
  }),
  v.transform(({ Day: day, Open: open, Close: close }): OpenHours[] => {
    if (open < close) return [{ day, open, close }];
    const spans = [
      { day, open, close: MIDNIGHT },
      { day: (day + 1) % 7, open: 0, close },
    ];
    return spans.filter((span) => span.open < span.close);
  }),
);

/** Without a row of them the others would say something else: one that can't be read takes the list with it. */
const weekHours = v.pipe(
  v.array(openHours),
  v.transform((days) => days.flat()),
);

/** An instrument, as it is sent. `readInstruments` reads it: there are ten thousand before the first frame. */
const instrument = v.pipe(
  v.object({
    Id: whole,
    /** Key of topics and pushes. */
    Code: text,
    /** Display name. */
    ShowCode: text,
    /** A picture, or empty. */
    Logo: picture,
    CategoryId: wholeOrZero,
    /** 1 = open. */
    MarketStatus: flag,
    /**
     * Decimals of a price. It may grow while the server runs: a client that receives a finer price reloads the list,
     * once for each value listed.
     */
    PricePrecision: whole,
    /** Lot step. */
    Pip: decimal,
    /** Minimum lots. */
    ForexMinCont: decimal,
    /** Units in one lot. */
    ForexContNum: decimal,
    /** 1 = fixed margin a lot. */
    MarginMode: code(1, 2),
    /** The leverages offered. */
    HasForexMultiple: lenient(rows(v.object({ Value: decimal })), []),
    /** USD a lot, or a share of the margin (domain.md#fee). */
    ForexFeeRate: decimal,
    /** Latest price, the day's open, change in percent. Without `Time` nothing was traded yet, and the amounts are "0". */
    ForexQuotations: lenient(
      v.object({
        Open: drawn,
        Close: drawn,
        Change: drawn,
        Time: optional(whole),
        Bid: optional(decimal),
        Ask: optional(decimal),
      }),
      undefined,
    ),
    /** Empty where the market is open or the time is not known. */
    NextOpen: optionalTime,
    /** When it trades, by the day in UTC; missing where that is not known. `Close` is at most 24:00. */
    Hours: optional(weekHours),
    /** What a long and a short position are charged a lot and night, USD, negative is paid; missing where that is not known. */
    SwapLong: optional(decimal),
    SwapShort: optional(decimal),
    /** The weekday, 0 is Sunday, whose 00:00 UTC counts three nights; missing: none does. */
    SwapTriple: optional(weekday),
    /** Why it is closed, for the user, where the hours are not the reason; this server sends it in the list only. */
    ClosedReason: optional(text),
  }),
  v.title('Instrument'),
);

export type InstrumentRow = Sent<typeof instrument>;

/** All instruments, or those whose code or name has a text (protocol.md#instrument-list). */
export const instrumentList = call({
  ...hot.instrumentList,
  params: { searchCurrency: params.optionalText() },
  answer: rows(instrument),
});

/** A bar, as it is sent. `readBar` reads it, straight into typed arrays. */
export const kline = v.pipe(
  v.object({
    /** Unix seconds, start of the bar. */
    Time: whole,
    Open: decimal,
    High: decimal,
    Low: decimal,
    Close: decimal,
    Volume: decimal,
  }),
  v.title('Kline'),
);

export type KlineRow = Sent<typeof kline>;

const period = params.choice(PERIODS);

/** A page of bars (protocol.md#klines). */
export const klines = call({
  ...hot.klines,
  params: {
    forex_id: params.id,
    period,
    /** Only bars that begin before it. */
    before: params.optional(params.seconds, null),
  },
  answer: v.array(kline),
});

export type KlineParams = Asked<typeof klines>;

const MOST_CLOSES = 1000;

/** Closes of the last 24 hours by instrument id; skips what is no list of prices. */
const closes = value<Record<string, string[]>, Map<number, Float32Array>>(
  {
    title: 'Sparklines',
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: { type: 'array', items: DECIMAL },
  },
  (sent) => {
    const fields = readFields(sent);
    if (!fields) return undefined;
    const lines = new Map<number, Float32Array>();
    for (const [key, row] of Object.entries(fields)) {
      const id = readInteger(key);
      const closes = readRows(Array.isArray(row) ? row.slice(-MOST_CLOSES) : row, readClose);
      if (id !== undefined && closes) lines.set(id, Float32Array.from(closes));
    }
    return lines;
  },
);

function readClose(sent: unknown): number | undefined {
  const price = readDrawnPrice(sent);
  return price > 0 ? price : undefined;
}

/** The most ids of one request (protocol.md#sparklines). */
export const MOST_SPARKLINES = 100;

/** Sparklines of these instruments (protocol.md#sparklines). */
export const sparklines = call({
  method: 'GET',
  path: '/v1/api/forex/abbreviated_cache_kline',
  access: 'public',
  effect: 'reads',
  params: {
    forex_id: params.ids(MOST_SPARKLINES),
    // A day of half-hour bars fits into the limit.
    period: params.optional(period, '30min' as const),
  },
  answer: closes,
});
