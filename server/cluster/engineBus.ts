import { sql } from 'drizzle-orm';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import type { Caller } from '../http/route';
import type { MarketView } from '../market/market';
import type { PrivateMessage } from '../socket/logins';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { MarketPublisher } from './marketPublisher';
import type { BarsQuestion, MarketDescription } from './remoteMarket';

/** A message for a user's sockets, with its number among those to this user. */
export interface Pushed {
  sequence: number;
  message: PrivateMessage;
}

/** An answer of the engine of this epoch. */
export interface OfEpoch<T> {
  epoch: number;
  value: T;
}

export interface EngineBusOptions {
  bus: Bus;
  db: Db;
  market: MarketView;
  clock: Clock;
  log: Log;
  /** The user of the token with this hash. */
  authenticate(tokenHash: string): Promise<Caller | undefined>;
}

const RETRY_MS = toDurationMs(1_000);

/** The engine's side of the bus: the market for all gateways, and what they ask about users. */
export class EngineBus {
  private readonly options: EngineBusOptions;
  private readonly publisher: MarketPublisher;
  /** The number of the last message to each user. */
  private readonly pushed = new Map<number, number>();
  private epoch: number;
  private stopped = false;
  private cancelRetry = () => {};

  private constructor(options: EngineBusOptions, epoch: number) {
    this.options = options;
    this.epoch = epoch;
    this.publisher = new MarketPublisher({ ...options, epoch });
  }

  static async open(options: EngineBusOptions): Promise<EngineBus> {
    return new EngineBus(options, await nextEpoch(options.db));
  }

  /** After the market has started, and after the listeners that match. */
  start(): void {
    const { bus, market, authenticate } = this.options;
    const { feed, instruments, categories } = market;
    const description: MarketDescription = { feed, instruments, categories };
    bus.answer(SUBJECTS.description, () => toJson(description));
    bus.answer(SUBJECTS.bars, async (data) => {
      const { instrumentId, period, limit, before } = fromJson<BarsQuestion>(data);
      return toJson(await market.bars(instrumentId, period, limit, before));
    });
    bus.answer(SUBJECTS.session, async (data) =>
      this.answer((await authenticate(fromJson(data))) ?? null),
    );
    bus.answer(SUBJECTS.pushed, (data) => this.answer(this.pushed.get(fromJson(data)) ?? 0));
    bus.onReconnected(() => void this.beginEpoch());
    this.publisher.start();
  }

  stop(): void {
    this.stopped = true;
    this.cancelRetry();
    this.publisher.stop();
  }

  /** Call it after the commit, in order. */
  toUser(userId: number, message: PrivateMessage): void {
    const sequence = (this.pushed.get(userId) ?? 0) + 1;
    this.pushed.set(userId, sequence);
    const pushed: Pushed = { sequence, message };
    this.options.bus.publish(SUBJECTS.user(userId), toJson(pushed));
  }

  endSession(sessionId: number): void {
    this.publisher.endSession(sessionId);
  }

  /** Messages may be lost: all gateways have to forget what they know. */
  async beginEpoch(): Promise<void> {
    const { db, clock, log } = this.options;
    try {
      this.epoch = await nextEpoch(db);
      if (!this.stopped) this.publisher.beginEpoch(this.epoch);
    } catch (error) {
      log.warn(`no new epoch: ${errorText(error)}`);
      if (!this.stopped) this.cancelRetry = clock.after(RETRY_MS, () => void this.beginEpoch());
    }
  }

  private answer<T>(value: T): Uint8Array {
    const answer: OfEpoch<T> = { epoch: this.epoch, value };
    return toJson(answer);
  }
}

/** Higher than all before it: PostgreSQL counts its transactions, over restarts too (D120). */
async function nextEpoch(db: Db): Promise<number> {
  const { rows } = await db.execute<{ epoch: string }>(
    sql`select pg_current_xact_id()::text as epoch`,
  );
  return Number(rows[0]?.epoch);
}
