/** What is read by hand of the rows of the market calls, before a declaration is loaded: instruments, and bars by the thousand. */
import { type Decimal, sign } from '../core/decimal';
import {
  type Fields,
  readDrawnPrice,
  readFields,
  readInteger,
  readIsoTime,
  readOptional,
  readPicture,
  readRows,
  readText,
} from '../core/read';
import { readFeeRate, readLeverage, readLots, readUnitsPerLot } from '../core/readAmounts';
import { LATEST_MS, toUnixMs, toUnixSeconds, type UnixMs } from '../core/time';
import type { Leverage } from '../core/units';
import { MOST_DECIMALS } from '../market/decimals';
import type { Instrument, Quote } from '../market/instrument';
import type { Bar } from '../market/kline';
import { PERIOD_SECONDS, type Period } from '../market/period';
import type { TopOfBook } from '../market/topOfBook';

/** A row of trade_list, read. */
export interface ListedInstrument {
  instrument: Instrument;
  quote: Quote;
  /** As a tick has them: a side that is NaN is not told. */
  topOfBook: TopOfBook;
  /** When a closed market opens again, where known. */
  nextOpen: UnixMs | undefined;
  /** Why it is closed, for the user, where the hours are not the reason. */
  closedReason?: string;
}

/**
 * Reads amounts, each text once: equal amounts are one object. Ten thousand instruments have a handful of different
 * ones.
 */
class Amounts {
  readonly #decimals = new Map<unknown, Decimal | undefined>();
  readonly #lists = new Map<string, readonly Leverage[]>();

  read<T extends Decimal>(value: unknown, read: (value: unknown) => T | undefined): T | undefined {
    if (!this.#decimals.has(value)) this.#decimals.set(value, read(value));
    return this.#decimals.get(value) as T | undefined;
  }

  leverages(rows: unknown): readonly Leverage[] {
    const texts = readRows(rows, (row) => readText(readFields(row)?.['Value'])) ?? [];
    // Not joined by commas: a text may hold one.
    const key = JSON.stringify(texts);
    let list = this.#lists.get(key);
    if (!list) {
      list = texts.flatMap((text) => {
        const value = this.read(text, readLeverage);
        return value && sign(value) > 0 ? [value] : [];
      });
      this.#lists.set(key, list);
    }
    return list;
  }
}

/** The readable rows of a list of instruments, without those that can't be trusted. Undefined where there is no list. */
export function readInstruments(rows: unknown): ListedInstrument[] | undefined {
  const amounts = new Amounts();
  return readRows(rows, (row) => readInstrument(row, amounts));
}

/** Fields that money depends on are required; fields that are only shown are optional. */
export function readInstrument(
  row: unknown,
  amounts = new Amounts(),
): ListedInstrument | undefined {
  const fields = readFields(row);
  if (!fields) return undefined;
  const id = readInteger(fields['Id']);
  const code = readText(fields['Code']);
  const precision = readInteger(fields['PricePrecision']);
  const lotStep = amounts.read(fields['Pip'], readLots);
  const minLots = amounts.read(fields['ForexMinCont'], readLots);
  const unitsPerLot = amounts.read(fields['ForexContNum'], readUnitsPerLot);
  const marginMode = readInteger(fields['MarginMode']);
  const feeRate = amounts.read(fields['ForexFeeRate'], readFeeRate);
  if (id === undefined || id <= 0 || !code) return undefined;
  if (precision === undefined || precision < 0 || precision > MOST_DECIMALS) return undefined;
  const closedReason = readText(fields['ClosedReason']);
  if (!lotStep || !minLots || !unitsPerLot || !feeRate || marginMode === undefined)
    return undefined;
  const quotations = readFields(fields['ForexQuotations']) ?? {};
  return {
    instrument: {
      id,
      code,
      name: readText(fields['ShowCode']) || code,
      logo: readPicture(fields['Logo']),
      categoryId: readInteger(fields['CategoryId']) ?? 0,
      precision,
      lotStep,
      minLots,
      unitsPerLot,
      marginMode: marginMode === 1 ? 'fixed' : 'leveraged',
      leverages: amounts.leverages(fields['HasForexMultiple']),
      feeRate,
    },
    quote: {
      ...readQuote(quotations),
      marketOpen: readInteger(fields['MarketStatus']) === 1,
    },
    topOfBook: {
      bid: readDrawnPrice(quotations['Bid']),
      ask: readDrawnPrice(quotations['Ask']),
    },
    nextOpen: readIsoTime(fields['NextOpen']),
    ...(closedReason && { closedReason }),
  };
}

function readQuote(fields: Fields): Omit<Quote, 'marketOpen'> {
  const time = readOptional(fields['Time']);
  return {
    close: readDrawnPrice(fields['Close']),
    open: readDrawnPrice(fields['Open']),
    change: readOptional(fields['Change']),
    time: time > 0 && time <= LATEST_MS ? toUnixMs(time) : undefined,
  };
}

const LATEST_SECONDS = LATEST_MS / 1000;

export function emptyBar(): Bar {
  return { time: toUnixSeconds(0), open: 0, high: 0, low: 0, close: 0, volume: 0 };
}

/** Reads `row` into `bar`, which callers reuse. False for a row that is no bar of `period`: then `bar` must not be used. */
export function readBar(row: unknown, period: Period, bar: Bar): boolean {
  const fields = readFields(row);
  if (!fields) return false;
  const time = readOptional(fields['Time']);
  const volume = readOptional(fields['Volume']);
  bar.time = toUnixSeconds(time);
  bar.open = readDrawnPrice(fields['Open']);
  bar.high = readDrawnPrice(fields['High']);
  bar.low = readDrawnPrice(fields['Low']);
  bar.close = readDrawnPrice(fields['Close']);
  // Some servers send no volume.
  bar.volume = Number.isNaN(volume) ? 0 : volume;
  return (
    time > 0 &&
    time <= LATEST_SECONDS &&
    time % PERIOD_SECONDS[period] === 0 &&
    bar.volume >= 0 &&
    bar.low > 0 &&
    bar.high >= Math.max(bar.open, bar.close) &&
    bar.low <= Math.min(bar.open, bar.close)
  );
}
