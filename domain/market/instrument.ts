import type { UnixMs } from '../core/time';
import type { FeeRate, Leverage, Lots, UnitsPerLot, Usd } from '../core/units';
import type { OpenHours } from './hours';

/** `MarginMode` on the wire: a fixed margin a lot, or a share of the position's value. */
type MarginMode = 'fixed' | 'leveraged';

/** The constant fields of an instrument (protocol.md#instrument), read with the list. */
export interface Instrument {
  id: number;
  /** The market's key, as in `KLINE.{code}`. */
  code: string;
  /** The name that users see. */
  name: string;
  /** URL of a picture; empty: the page generates one. */
  logo: string;
  categoryId: number;
  /** Decimals of a price. */
  precision: number;
  /** `Pip` on the wire: the step of a quantity (domain.md#lots). */
  lotStep: Lots;
  /** `ForexMinCont` on the wire: the smallest quantity (domain.md#lots). */
  minLots: Lots;
  /** `ForexContNum` on the wire: units of the instrument in one lot. */
  unitsPerLot: UnitsPerLot;
  marginMode: MarginMode;
  leverages: readonly Leverage[];
  /** `ForexFeeRate` on the wire: USD a lot, or a share of the margin (domain.md#fee). */
  feeRate: FeeRate;
  /** When it trades, where the server knows it; a page asks for it where it shows it. */
  hours?: readonly OpenHours[];
  /** Where the server knows it; asked for as `hours`. */
  swap?: SwapTerms;
}

/** What an instrument costs to hold over a night, USD a lot; negative is paid (domain.md#overnight-financing). */
export interface SwapTerms {
  long: Usd;
  short: Usd;
  /** The weekday, 0 is Sunday, whose 00:00 UTC counts three nights; undefined: none does. */
  triple: number | undefined;
}

/** The latest price of an instrument. Doubles, as in Bar (D1). */
export interface Quote {
  /** This and the next two are NaN where nothing was traded yet. */
  close: number;
  open: number;
  /** Percent since the day's open, two decimals. */
  change: number;
  /** When the market made it; undefined where the server does not send it. */
  time: UnixMs | undefined;
  /** `MarketStatus` on the wire is 1 (domain.md#market-status). */
  marketOpen: boolean;
}
