import { type Category, categoryList, sparklines } from '#domain/api/market';
import type { Result } from '#domain/core/result';
import type { Clock } from '../core/ports';
import { createSparklines } from '../market/sparklines';
import { callRead } from './ask';
import type { Http } from './client';

/** Calls about the market that the first prices do not need. */
export interface MarketReads {
  categories(): Promise<Result<Category[]>>;
  sparklines: ReturnType<typeof createSparklines>;
}

export function createMarketReads(http: Http, clock: Clock): MarketReads {
  return {
    categories: () => callRead(http, categoryList, {}, { quiet: false }),
    sparklines: createSparklines(clock, (ids) =>
      callRead(http, sparklines, { forex_id: ids.join(',') }),
    ),
  };
}
