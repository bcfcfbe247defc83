import { randomUUID } from 'node:crypto';
import type { OrderRow } from '#domain/api/trading';
import { toUnixMs } from '#domain/core/time';
import type { QuoteFill } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import type { OrderState } from '#domain/trading/orderState';
import type { OrderRequest } from '#domain/trading/rules';
import type { Earned } from '#domain/trading/stagedChange';
import { DEMO_BALANCE, demoAccount } from '../../../server/account/demo';
import { AttemptLimits } from '../../../server/account/limits/attemptLimits';
import { UNDIVIDED } from '../../../server/account/otherEngines';
import { CommandLog } from '../../../server/commands/commandLog';
import { systemClock } from '../../../server/core/clock';
import type { Log } from '../../../server/core/log';
import type { Db } from '../../../server/db/database';
import { Transactions, type UnitOfWork } from '../../../server/db/transactions';
import { Refusal } from '../../../server/http/refusal';
import { Ledger } from '../../../server/ledger/ledger';
import type { Market } from '../../../server/market/market';
import { ExposureLimits } from '../../../server/trading/exposureLimits';
import { MatchingEngine } from '../../../server/trading/matchingEngine';
import { Portfolio } from '../../../server/trading/portfolio';
import type { TickWatch } from '../../../server/trading/tickWatch';
import { noWatch } from '../../../server/trading/tickWatch';
import { lots, price, times } from '../../domain/support/instruments';
import { testOutbox } from '../push/testOutbox';

/** Matching and ledger on a database, without HTTP. */
export class TestTrading {
  readonly engine: MatchingEngine;
  readonly portfolio: Portfolio;
  readonly ledger: Ledger;
  readonly transactions: Transactions;
  /** Published orders, in order. */
  readonly published: OrderState[] = [];
  /** By fills and closes, in order. */
  readonly earned: Earned[] = [];
  readonly errors: string[] = [];
  /** Orders of whose end the market has notices written. */
  readonly noticed: OrderState[] = [];
  private readonly leave: () => void;

  private constructor(
    db: Db,
    market: Market,
    feeType: FeeType,
    watch: TickWatch,
    quoteFill: QuoteFill,
    swap: boolean,
    limits: ExposureLimits,
    commands: CommandLog,
  ) {
    const log: Log = { info() {}, warn() {}, error: (text) => this.errors.push(text) };
    const ledger = new Ledger(systemClock.now, undefined, commands);
    this.ledger = ledger;
    const transactions = new Transactions({
      db,
      exclusively: (work) => market.exclusively(work),
      beforeCommit: market.savePosition?.bind(market),
    });
    const onChange = (order: OrderState) => this.published.push(order);
    const demoBalance = DEMO_BALANCE;
    this.transactions = transactions;
    this.engine = new MatchingEngine({
      db,
      market,
      ledger,
      transactions,
      feeType,
      quoteFill,
      swap,
      limits,
      demoBalance,
      clock: systemClock,
      log,
      commands,
      watch,
      onEnded: async (work, orders) => {
        this.noticed.push(...orders);
        await testOutbox().ordersEnded(work, orders);
      },
      onCorrected: async () => {},
      onChange,
      onEarned: (earned) => this.earned.push(...earned),
    });
    this.portfolio = new Portfolio({ db, ledger, engine: this.engine, market });
    this.leave = market.listen(this.engine);
  }

  /** As a process that starts or restarts. */
  static async open(
    db: Db,
    market: Market,
    feeType: FeeType = 'per-lot',
    watch: TickWatch = noWatch,
    quoteFill: QuoteFill = 0,
    swap = true,
    limits = new ExposureLimits(new Map()),
    commands = new CommandLog(0, systemClock.now),
  ): Promise<TestTrading> {
    const trading = new TestTrading(db, market, feeType, watch, quoteFill, swap, limits, commands);
    await trading.ledger.prepare(db);
    await trading.engine.catchUp();
    return trading;
  }

  /** As `open`, and records what changes the books. */
  static record(db: Db, market: Market, watch: TickWatch = noWatch): Promise<TestTrading> {
    const [limits, commands] = [new ExposureLimits(new Map()), new CommandLog(1, systemClock.now)];
    return TestTrading.open(db, market, 'per-lot', watch, 0, true, limits, commands);
  }

  /** As a process that ends. */
  close(): void {
    this.leave();
  }

  run<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.transactions.run(job);
  }

  async addUser(): Promise<number> {
    const now = () => toUnixMs(0);
    const { db } = this.transactions;
    const parts = {
      db,
      ledger: this.ledger,
      limits: new AttemptLimits(now),
      otherEngines: UNDIVIDED,
      now,
    };
    return (await demoAccount(parts, randomUUID(), '127.0.0.1')).id;
  }

  submit(userId: number, instrumentId: number, request: OrderRequest): Promise<OrderState> {
    return this.run((work) => this.engine.submit(work, userId, instrumentId, request));
  }

  async rows(userId: number, status: number): Promise<OrderRow[]> {
    return (await this.portfolio.page(userId, status, 1, 500)).data;
  }
}

/** The message key of a refusal; undefined where there was none. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.key;
    throw error;
  }
}

interface OrderOptions {
  side?: 'buy' | 'sell';
  lots?: string;
  leverage?: string;
  target?: string;
  stopLoss?: string;
  takeProfit?: string;
  trailing?: string;
}

function request(type: OrderRequest['type'], wish: OrderOptions): OrderRequest {
  const optional = (value: string | undefined) => (value === undefined ? undefined : price(value));
  return {
    side: wish.side ?? 'buy',
    type,
    lots: lots(wish.lots ?? '1'),
    leverage: times(wish.leverage ?? '100'),
    targetPrice: optional(wish.target),
    stopLoss: optional(wish.stopLoss),
    takeProfit: optional(wish.takeProfit),
    trailing: optional(wish.trailing),
    deviation: undefined,
  };
}

export const market = (wish: OrderOptions = {}): OrderRequest => request('market', wish);
export const pending = (target: string, wish: OrderOptions = {}): OrderRequest =>
  request('pending', { ...wish, target });
