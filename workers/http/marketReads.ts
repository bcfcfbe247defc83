import { type Category, categoryList, sparklines } from '#domain/api/market';
import type { Result } from '#domain/core/result';
import { callRead } from './ask';
import type { Http } from './client';

/** Calls about the market that the first prices do not need. */
export interface MarketReads {
  categories(): Promise<Result<Category[]>>;
  /** Of at most MOST_SPARKLINES instruments. */
  sparklines(ids: readonly number[]): Promise<Result<Map<number, Float32Array>>>;
}

export function createMarketReads(http: Http): MarketReads {
  return {
    categories: () => callRead(http, categoryList, {}, { quiet: false }),
    sparklines: (ids) => callRead(http, sparklines, { forex_id: ids.join(',') }),
  };
}
