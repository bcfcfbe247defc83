import { secondOf, timeAfter, type UnixSeconds } from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import { PERIOD_SECONDS } from '#domain/market/period';
import type { Side } from '#domain/trading/order';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Transactions } from '../db/transactions';
import { Refusal } from '../http/refusal';
import type { Market, MarketListener } from '../market/market';
import type { MatchingEngine } from '../trading/matchingEngine';
import { sizedOrder } from './orderSizing';
import { BAR_COUNT, usualRange } from './strategies';
import type { StrategyTrader } from './strategyAccounts';

export interface StrategyRunnerParts {
  market: Market;
  transactions: Transactions;
  engine: MatchingEngine;
  log: Log;
}

/**
 * Runs the strategies at each closed bar and trades for them through the matching engine, as for
 * any user.
 */
export class StrategyRunner implements MarketListener {
  private readonly parts: StrategyRunnerParts;
  private readonly traders: readonly StrategyTrader[];
  /** Start of the bar that each strategy has processed. */
  private readonly lastBarSeen = new Map<StrategyTrader, UnixSeconds>();
  private running: Promise<void> = Promise.resolve();
  private readonly stopListening: () => void;

  constructor(parts: StrategyRunnerParts, traders: readonly StrategyTrader[]) {
    this.parts = parts;
    this.traders = traders;
    this.stopListening = parts.market.listen(this);
    // Run once at the start: a trend may have begun before.
    const now = secondOf(parts.market.now());
    for (const trader of traders) this.enqueue(trader, barStart(trader.period, now));
  }

  async close(): Promise<void> {
    this.stopListening();
    await this.running;
  }

  /** Resolves when all strategies have processed the closed bars. */
  settled(): Promise<void> {
    return this.running;
  }

  ticks(): void {}

  status(): void {}

  barClosed(instrumentId: number, bar: Bar): void {
    const end = timeAfter(bar.time, PERIOD_SECONDS['1min']);
    for (const trader of this.traders) {
      // The last minute of a bar may have no tick; then a later minute ends the bar.
      if (trader.instrument.id === instrumentId) this.enqueue(trader, barStart(trader.period, end));
    }
  }

  private enqueue(trader: StrategyTrader, current: UnixSeconds): void {
    if (this.lastBarSeen.get(trader) === current) return;
    this.lastBarSeen.set(trader, current);
    // Not inside the feed: an order waits there for its turn.
    this.running = this.running.then(() => this.runStrategy(trader, current));
  }

  /** `current` is the bar that has just started; the strategy gets the bars before it. */
  private async runStrategy(trader: StrategyTrader, current: UnixSeconds): Promise<void> {
    const { market, log } = this.parts;
    try {
      const bars = await market.bars(trader.instrument.id, trader.period, BAR_COUNT, current);
      const target = trader.strategy(bars);
      if (target === undefined || !market.quote(trader.instrument.id)?.marketOpen) return;
      const held = await this.findPosition(trader);
      if (held && held.side !== target) await this.closePosition(trader, held.id);
      if (target !== 'flat' && held?.side !== target) {
        await this.openPosition(trader, target, usualRange(bars));
      }
    } catch (error) {
      // A refusal is normal: the market has closed, the price has moved or the money is used up.
      if (!(error instanceof Refusal)) log.error(`${trader.name}: ${errorText(error)}`);
    }
  }

  private findPosition({ userId, instrument }: StrategyTrader) {
    const { market, engine } = this.parts;
    return market.exclusively(() => {
      const orders = [...(engine.openOrders.account(userId)?.positions.values() ?? [])];
      return orders
        .map(({ order }) => order)
        .find(({ instrumentId }) => instrumentId === instrument.id);
    });
  }

  private async closePosition({ userId }: StrategyTrader, id: number): Promise<void> {
    const { transactions, engine } = this.parts;
    await transactions.run((work) => engine.close(work, userId, id));
  }

  private async openPosition({ userId, instrument }: StrategyTrader, side: Side, range: number) {
    const { market, transactions, engine } = this.parts;
    await transactions.run(async (work) => {
      const quote = market.quote(instrument.id);
      const free = await engine.available(work, userId);
      const order = quote && sizedOrder(instrument, side, quote.price, range, free);
      if (order) await engine.submit(work, userId, instrument.id, order);
    });
  }
}
