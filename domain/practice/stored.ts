/** A practice session as it is stored on the device, and read again with distrust: another version may have written it. */
import { readInstrument } from '../api/read-market';
import { sign, toText } from '../core/decimal';
import { type Fields, readFields, readInteger, readRows, readText, readUnixMs } from '../core/read';
import { readPrice, readUsd } from '../core/readAmounts';
import { toUnixSeconds } from '../core/time';
import { BAR_STRIDE } from '../market/candles';
import type { Instrument, SwapTerms } from '../market/instrument';
import type { Bar } from '../market/kline';
import { PERIODS } from '../market/period';
import type { AmendmentInput } from '../trading/amendment';
import type { TicketInput } from '../trading/ticketInput';
import { type PracticeCommand, type PracticeLog, type PracticeSetup, practiceId } from './session';

/** A session's setup with the bars before it, which its chart begins with. */
export interface PracticeDay extends PracticeSetup {
  earlier: readonly Bar[];
}

/** More bars than a day and what is before it have. */
const MOST_BARS = 10_000;
/** More commands than anybody gives in a day. */
const MOST_COMMANDS = 100_000;

/** Bars as the numbers of `Candles.bars`. */
export function packBars(bars: readonly Bar[]): Float64Array {
  const packed = new Float64Array(bars.length * BAR_STRIDE);
  for (const [index, { time, open, high, low, close, volume }] of bars.entries())
    packed.set([time, open, high, low, close, volume], index * BAR_STRIDE);
  return packed;
}

/** What `readDay` reads. `id` tells sessions apart. */
export function storedDay(id: number, day: PracticeDay): unknown {
  const { instrument, period, feeType, quoteFill, earlier, bars } = day;
  return {
    ...{ id, period, feeType, quoteFill },
    instrument: rowOf(instrument),
    swap: instrument.swap && rowOfSwap(instrument.swap),
    spread: toText(day.spread),
    balance: toText(day.balance),
    earlier: packBars(earlier),
    bars: packBars(bars),
  };
}

/** Undefined where it can't be played as it was. */
export function readDay(value: unknown): { id: number; day: PracticeDay } | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const id = readUnixMs(fields['id']);
  const listed = readInstrument(fields['instrument'])?.instrument;
  const period = PERIODS.find((each) => each === fields['period']);
  const quoteFill = ([0, 1, 2] as const).find((each) => each === fields['quoteFill']);
  const feeType = (['per-lot', 'rate'] as const).find((each) => each === fields['feeType']);
  const spread = readPrice(fields['spread']);
  const balance = readUsd(fields['balance']);
  const earlier = readBars(fields['earlier']);
  const bars = readBars(fields['bars']);
  if (!id || !listed || !period || quoteFill === undefined || !feeType) return undefined;
  if (!spread || sign(spread) < 0 || !balance || sign(balance) <= 0) return undefined;
  if (!earlier || !bars?.length) return undefined;
  const swap = readSwap(readFields(fields['swap']));
  const instrument = { ...listed, id: practiceId(listed.id), ...(swap && { swap }) };
  return { id, day: { instrument, period, feeType, quoteFill, spread, balance, earlier, bars } };
}

/** What `readLog` reads, of the session with this id. */
export function storedLog(id: number, { played, commands }: PracticeLog): unknown {
  return { id, played, commands };
}

/** The log of a session; undefined where it is another one's, or can't be read. */
export function readLog(value: unknown, id: number): PracticeLog | undefined {
  const fields = readFields(value);
  if (!fields || fields['id'] !== id) return undefined;
  const played = readInteger(fields['played']);
  const rows = fields['commands'];
  if (played === undefined || played < 0 || !Array.isArray(rows)) return undefined;
  if (rows.length > MOST_COMMANDS) return undefined;
  const commands = readRows(rows, readEntry);
  // Without one of them, the others would mean something else.
  return commands?.length === rows.length ? { played, commands } : undefined;
}

function readEntry(value: unknown): PracticeLog['commands'][number] | undefined {
  const fields = readFields(value);
  const after = readInteger(fields?.['after']);
  const command = readCommand(fields?.['command']);
  return after === undefined || after < 0 || !command ? undefined : { after, command };
}

function readCommand(value: unknown): PracticeCommand | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  if (fields['do'] === 'end') return { do: 'end' };
  if (fields['do'] === 'submit') {
    const ticket = readTicket(readFields(fields['ticket']));
    return ticket && { do: 'submit', ticket };
  }
  const id = readInteger(fields['id']);
  if (id === undefined) return undefined;
  const text = (name: string) => readText(fields[name]) ?? '';
  if (fields['do'] === 'close') return { do: 'close', id, lots: text('lots') };
  if (fields['do'] === 'cancel') return { do: 'cancel', id };
  if (fields['do'] === 'amend') {
    const terms = readFields(fields['terms']);
    return terms && { do: 'amend', id, terms: readTerms(terms) };
  }
  if (fields['do'] !== 'exits') return undefined;
  const [stopLoss, takeProfit, trailing] = [text('stopLoss'), text('takeProfit'), text('trailing')];
  return { do: 'exits', id, stopLoss, takeProfit, trailing };
}

function readTicket(fields: Fields | undefined): TicketInput | undefined {
  const instrumentId = readInteger(fields?.['instrumentId']);
  const side = (['buy', 'sell'] as const).find((each) => each === fields?.['side']);
  const type = (['market', 'pending'] as const).find((each) => each === fields?.['type']);
  if (!fields || instrumentId === undefined || !side || !type) return undefined;
  const text = (name: string) => readText(fields[name]) ?? '';
  return {
    ...{ instrumentId, side, type },
    ...readTerms(fields),
    leverage: text('leverage'),
    deviation: text('deviation'),
  };
}

function readTerms(fields: Fields): AmendmentInput {
  const text = (name: string) => readText(fields[name]) ?? '';
  return {
    lots: text('lots'),
    targetPrice: text('targetPrice'),
    stopLoss: text('stopLoss'),
    takeProfit: text('takeProfit'),
    trailing: text('trailing'),
    until: readUnixMs(fields['until']),
  };
}

/** Bars of finite prices, oldest first. */
function readBars(value: unknown): Bar[] | undefined {
  if (!(value instanceof Float64Array) || value.length % BAR_STRIDE > 0) return undefined;
  if (value.length > MOST_BARS * BAR_STRIDE) return undefined;
  const bars: Bar[] = [];
  for (let at = 0; at < value.length; at += BAR_STRIDE) {
    const numbers = value.subarray(at, at + BAR_STRIDE);
    const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers;
    const before = bars.at(-1)?.time ?? 0;
    if (!numbers.every(Number.isFinite) || time <= before || low <= 0 || volume < 0)
      return undefined;
    if (Math.max(open, close) > high || Math.min(open, close) < low) return undefined;
    bars.push({ time: toUnixSeconds(time), open, high, low, close, volume });
  }
  return bars;
}

function rowOfSwap({ long, short, triple }: SwapTerms): unknown {
  return { long: toText(long), short: toText(short), triple };
}

function readSwap(fields: Fields | undefined): SwapTerms | undefined {
  const long = readUsd(fields?.['long']);
  const short = readUsd(fields?.['short']);
  const triple = readInteger(fields?.['triple']);
  return long && short && { long, short, triple };
}

/** An instrument as a row of trade_list, which is how one is read. */
function rowOf({ id, leverages, ...instrument }: Instrument): unknown {
  return {
    Id: practiceId(id),
    Code: instrument.code,
    ShowCode: instrument.name,
    Logo: instrument.logo,
    CategoryId: instrument.categoryId,
    PricePrecision: instrument.precision,
    Pip: toText(instrument.lotStep),
    ForexMinCont: toText(instrument.minLots),
    ForexContNum: toText(instrument.unitsPerLot),
    MarginMode: instrument.marginMode === 'fixed' ? 1 : 0,
    HasForexMultiple: leverages.map((value) => ({ Value: toText(value) })),
    ForexFeeRate: toText(instrument.feeRate),
  };
}
