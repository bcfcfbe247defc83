import { expect } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import { DAY_MS, timeAfter, toDurationMs, toUnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { OrderState } from '#domain/trading/orderState';
import type { OrderRequest } from '#domain/trading/rules';
import type { Db } from '../../../server/db/database';
import type { WriteOnlyWork } from '../../../server/db/transactions';
import { BatchedRequests } from '../../../server/idempotency/batchedRequests';
import { IdempotentRequests } from '../../../server/idempotency/idempotentRequests';
import type { MatchingEngine } from '../../../server/trading/matchingEngine';
import { orderRow } from '../../../server/trading/rows';
import { lots, price } from '../../domain/support/instruments';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { pending, TestTrading } from './testTrading';

const EUR = 1;
/** Tuesday. */
const EVENING = toUnixMs(Date.UTC(2026, 11, 1, 20));
const SECOND = toDurationMs(1_000);

type Job = (engine: MatchingEngine, work: WriteOnlyWork, userId: number) => Promise<OrderState>;

/** Two users and the market they trade on, which outlive the processes that serve them. */
export class TwoUsers {
  readonly market: SerialMarket;
  readonly ids: number[] = [];
  trading!: TestTrading;
  private calls!: BatchedRequests;
  /** First answers, by key. */
  private readonly answers = new Map<string, Envelope<unknown>>();

  /** `savesPosition`: otherwise the feed keeps its own, as in a cluster, and what is only booked is one statement. */
  constructor(savesPosition: boolean) {
    const swap = { long: toUsd('-6.5'), short: toUsd('1.25'), triple: 4 };
    this.market = new SerialMarket([instrument(EUR, 'EURUSD', { swap })], EVENING);
    if (!savesPosition) Object.defineProperty(this.market, 'savePosition', { value: undefined });
  }

  /** A process starts that serves them. */
  async start(db: Db): Promise<void> {
    this.trading = await TestTrading.record(db, this.market);
    const { transactions, engine } = this.trading;
    const requests = new IdempotentRequests(transactions, () => EVENING);
    this.calls = new BatchedRequests(requests, (work, ids) => engine.prepare(work, ids));
    while (this.ids.length < 2) this.ids.push(await this.trading.addUser());
  }

  /** Whether a call was answered. */
  get isAnswered(): boolean {
    return this.answers.size > 0;
  }

  tick(at: number): Promise<void> {
    return this.market.tick([EUR, at]);
  }

  async place(user: number, request: OrderRequest): Promise<void> {
    await this.trading.submit(this.ids[user] as number, EUR, request);
  }

  /** A pending order that expires in a second, which is with the next tick. */
  placeExpiring(user: number): Promise<void> {
    return this.place(user, { ...pending('1.05'), until: timeAfter(this.market.now(), SECOND) });
  }

  submit(key: number, user: number, request: OrderRequest): Promise<void> {
    return this.call(key, user, (engine, work, id) => engine.submit(work, id, EUR, request));
  }

  cancel(key: number, user: number, order: number): Promise<void> {
    return this.call(key, user, (engine, work, id) => engine.cancel(work, id, order));
  }

  /** `part`: the lots that are closed; 0: all. */
  close(key: number, order: number, part = '0'): Promise<void> {
    return this.call(key, 0, (engine, work, id) => engine.close(work, id, order, lots(part)));
  }

  /** Busts the user's fills of the day that begins `after` the first price, in milliseconds. */
  async bust(user: number, after = 0, at?: string): Promise<void> {
    const from = timeAfter(EVENING, toDurationMs(after));
    await this.trading.run((work) =>
      this.trading.engine.bust(work, this.ids[user] as number, {
        ...{ code: 'EURUSD', reason: 'Wrong price', from },
        to: timeAfter(from, toDurationMs(DAY_MS / 2)),
        price: at === undefined ? undefined : price(at),
      }),
    );
  }

  amend(key: number, order: number, { size = '1', target = '1.05' } = {}): Promise<void> {
    const none = { stopLoss: undefined, takeProfit: undefined, trailing: undefined };
    const terms = { ...none, lots: lots(size), targetPrice: price(target), until: undefined };
    return this.call(key, 0, (engine, work, id) => engine.amend(work, id, order, terms));
  }

  /** A call, the same one whenever it has this key. Who repeats it is told what was told before. */
  private async call(key: number, user: number, job: Job): Promise<void> {
    const { engine } = this.trading;
    const userId = this.ids[user] as number;
    const uuid = `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`;
    const { envelope } = await this.calls.serve({
      userId,
      request: { userId, key: uuid, fingerprint: uuid },
      language: 'en',
      job: async (work) => {
        const order = await job(engine, work, userId);
        // The price of the moment is no part of what was done.
        return orderRow(order, undefined);
      },
    });
    expect(envelope).toEqual(this.answers.get(uuid) ?? envelope);
    this.answers.set(uuid, envelope);
  }
}
