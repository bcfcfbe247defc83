import type { PlausibilityLimits } from '#domain/market/plausibility';
import type { Config } from '../config/config';

type LimitSettings = Pick<
  Config,
  'priceJump' | 'priceFloor' | 'priceSpread' | 'priceSilence' | 'priceChecks'
>;

/** The settings `--price-…`. */
export function priceLimits(config: LimitSettings): PlausibilityLimits {
  return {
    jump: config.priceJump,
    floor: config.priceFloor / 100,
    spread: config.priceSpread,
    silence: config.priceSilence,
    confirmations: config.priceChecks,
  };
}
