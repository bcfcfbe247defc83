import type { PlausibilityLimits } from '#domain/market/plausibility';
import type { FeeType } from '#domain/trading/margin';
import type { ExchangeKey } from './codecs/codecs';

export interface LiveOptions {
  /** In order of preference. */
  exchanges: readonly ExchangeKey[];
  /** `BASE/QUOTE`; empty: those of earlier runs and, up to a hundred, those with the most turnover at the first exchange. */
  codes: readonly string[];
  /** Instead of the exchanges' own addresses; empty: their own. */
  websocket: string;
  rest: string;
  /** Market orders fill only while price or top of the book are younger. */
  quoteAge: number;
  /** Market orders fill at bid or ask: these must be younger. */
  fillsAtQuote: boolean;
  feeType: FeeType;
  /** Undefined: every price counts at once. */
  limits?: PlausibilityLimits | undefined;
}
