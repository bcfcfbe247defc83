/** The part of the worker's contract about the mining funds. */
import type { ListPage } from '../core/paging';
import type { Done, Result } from '../core/result';
import type { Fund, Income, Subscription } from '../mining/fund';

/**
 * Pages are 1-based; `isFinished` says which is the last (protocol.md#lists). A failed read
 * is no event: the screen that asked shows it. Changing calls take an idempotency key, as
 * TradingGateway's do.
 */
export interface MiningGateway {
  funds(page: number): Promise<Result<ListPage<Fund>>>;
  fund(id: number): Promise<Result<Fund>>;
  /** Takes `amount`, USD as a plain decimal, from the balance immediately. */
  subscribe(fundId: number, amount: string, key: string): Promise<Result<Done<Subscription>>>;
  subscriptions(page: number): Promise<Result<ListPage<Subscription>>>;
  /** Daily profits that were paid to a subscription (protocol.md#incomes). */
  incomes(subscriptionId: number, page: number): Promise<Result<ListPage<Income>>>;
  /** Requests an early redemption (protocol.md#redemption). */
  redeem(subscriptionId: number, key: string): Promise<Result<Done<Subscription>>>;
}
