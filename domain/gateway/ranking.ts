/** The part of the worker's contract about the ranking of traders. */
import type { ListPage } from '../core/paging';
import type { Result } from '../core/result';
import type { Trader } from '../ranking/trader';

/** A failure is no event: the screen that asked shows it. */
export interface RankingGateway {
  /** One page; pages are 1-based. */
  traders(page: number): Promise<Result<ListPage<Trader>>>;
}
