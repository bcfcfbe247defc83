import type { FeeRate, Lots, Multiplier, UnitsPerLot, UnixMs } from '../core/units';

/** §3 Category. */
export interface Category {
  id: number;
  name: string;
}

/** §3 MarginMode: a fixed margin a lot, or a share of the position's value. */
type MarginMode = 'fixed' | 'leveraged';

/** What is constant of an instrument (§3), read once with the list. */
export interface Instrument {
  id: number;
  /** The market's key, as in `KLINE.{code}`. */
  code: string;
  /** What people see. */
  name: string;
  /** A picture's URL, or empty: then a mark is generated. */
  logo: string;
  categoryId: number;
  /** Decimals of a price. */
  precision: number;
  /** §3 Pip: the step of a quantity. */
  lotStep: Lots;
  /** §3 ForexMinCont. */
  minLots: Lots;
  /** §3 ForexContNum: units of the instrument in one lot. */
  unitsPerLot: UnitsPerLot;
  marginMode: MarginMode;
  multipliers: Multiplier[];
  /** §3 ForexFeeRate: USD a lot, or a share of the margin (§9 trade_fee_type). */
  feeRate: FeeRate;
}

/** The latest price of an instrument. Doubles, as in Bar (D1). */
export interface Quote {
  /** This and the next two are NaN where nothing was traded yet. */
  close: number;
  open: number;
  /** Percent since the day's open, two decimals. */
  change: number;
  /** When the market made it, or undefined where the server doesn't say. */
  time: UnixMs | undefined;
  /** §3 MarketStatus = 1. */
  marketOpen: boolean;
}
