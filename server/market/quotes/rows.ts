import type { InstrumentRow, KlineRow } from '#domain/api/market';
import { round, toDecimal, toFixed, toText } from '#domain/core/decimal';
import { CENTS, type Usd } from '#domain/core/units';
import { changeNumber } from '#domain/market/change';
import { clockText, type OpenHours } from '#domain/market/hours';
import type { Instrument, SwapTerms } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { ClosedReason, MarketQuote } from '../market';

/** Sums of doubles are only exact to this many decimals. */
const VOLUME_SCALE = 8;

/** With the instrument's decimals. The double is the one nearest to such a decimal (D1). */
export function priceText(price: number, precision: number): string {
  return price.toFixed(precision);
}

export function volumeText(volume: number): string {
  if (Number.isSafeInteger(volume)) return String(volume);
  return toText(round(toDecimal(volume), VOLUME_SCALE));
}

/** (price − open) / open × 100, two decimals, half away from zero (domain.md#change). */
export function changeText(price: number, open: number): string {
  if (open === 0) return '0.00';
  return changeNumber(price, open).toFixed(2);
}

export function klineRow(bar: Bar, precision: number): KlineRow {
  return {
    Time: bar.time,
    Open: priceText(bar.open, precision),
    High: priceText(bar.high, precision),
    Low: priceText(bar.low, precision),
    Close: priceText(bar.close, precision),
    Volume: volumeText(bar.volume),
  };
}

/**
 * An instrument without a tick is closed and has no Time. `hours` are those of the instrument, as of `hoursRow`; `reason` writes
 * why a market is closed.
 */
export function instrumentRow(
  instrument: Instrument,
  hours: InstrumentRow['Hours'],
  quote: MarketQuote | undefined,
  reason: (closed: ClosedReason) => string,
): InstrumentRow {
  return {
    Id: instrument.id,
    Code: instrument.code,
    ShowCode: instrument.name,
    Logo: instrument.logo,
    CategoryId: instrument.categoryId,
    MarketStatus: quote?.marketOpen ? 1 : 0,
    PricePrecision: instrument.precision,
    Pip: toText(instrument.lotStep),
    ForexMinCont: toText(instrument.minLots),
    ForexContNum: toText(instrument.unitsPerLot),
    MarginMode: instrument.marginMode === 'fixed' ? 1 : 2,
    HasForexMultiple: instrument.leverages.map((value) => ({ Value: toText(value) })),
    ForexFeeRate: toText(instrument.feeRate),
    ForexQuotations: quote
      ? { ...quotation(quote, instrument.precision), Time: quote.time }
      : { Bid: '0', Ask: '0', Open: '0', Close: '0', Change: '0.00' },
    NextOpen:
      quote?.nextOpen === undefined || quote.marketOpen
        ? ''
        : new Date(quote.nextOpen).toISOString(),
    ...(hours && { Hours: hours }),
    ...(instrument.swap && swapFields(instrument.swap)),
    ...(quote?.closedReason && { ClosedReason: reason(quote.closedReason) }),
  };
}

function swapFields({ long, short, triple }: SwapTerms) {
  return {
    SwapLong: rateText(long),
    SwapShort: rateText(short),
    ...(triple !== undefined && { SwapTriple: triple }),
  };
}

/** All digits, because positions are charged with all, at least cents. */
const rateText = (rate: Usd) => toFixed(rate, Math.max(CENTS, rate.scale));

export function hoursRow({ day, open, close }: OpenHours) {
  return { Day: day, Open: clockText(open), Close: clockText(close) };
}

function quotation({ price, open, bid, ask }: MarketQuote, precision: number) {
  return {
    // 0 takes away what a client without a websocket knows from another time or process.
    Bid: bid === undefined ? '0' : priceText(bid, precision),
    Ask: ask === undefined ? '0' : priceText(ask, precision),
    Open: priceText(open, precision),
    Close: priceText(price, precision),
    Change: changeText(price, open),
  };
}
