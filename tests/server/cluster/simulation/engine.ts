import type { OrderRow } from '#domain/api/trading';
import type { UnixMs } from '#domain/core/time';
import type { BusMarket } from '../../../../server/cluster/busMarket';
import type { EngineBus } from '../../../../server/cluster/engineBus';
import type { Db } from '../../../../server/db/database';
import type { Caller } from '../../../../server/http/route';
import type { BookedTrading, Books } from './books';
import type { ClusterParts } from './clusterParts';
import type { Account } from './phones';
import { FILLED_WITHIN_MS, Reader } from './reader';
import { DatabaseClient, type SimulatedDatabase } from './simulatedDatabase';
import type { SimulatedBus } from './simulatedNats';
import type { SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

export interface EngineOptions {
  world: World;
  parts: ClusterParts;
  database: SimulatedDatabase;
  shard: number;
  /** Those in its database. */
  accounts: readonly Account[];
  /** A real database, on which it trades. */
  books: Books | undefined;
}

/** An engine or its standby, as server/app.ts composes what it has on the bus. */
export class Engine {
  readonly process: SimulatedProcess;
  readonly bus: SimulatedBus;
  readonly client: DatabaseClient;
  market: BusMarket | undefined;
  reader: Reader | undefined;
  trading: BookedTrading | undefined;
  isServing = false;
  private readonly options: EngineOptions;
  /** Sessions that it knows without its database, by the hashes of their tokens (server/account/sessions.ts). */
  private readonly sessions = new Map<string, Caller>();
  private gateways: EngineBus | undefined;

  constructor(process: SimulatedProcess, options: EngineOptions) {
    const { world, database } = options;
    this.process = process;
    this.options = options;
    this.bus = world.nats.connect(process);
    this.client = new DatabaseClient(database, process, { expires: false });
  }

  async run(): Promise<void> {
    const { bus, client, process } = this;
    const { world, parts, shard, books } = this.options;
    const { log } = world;
    await client.open();
    await process.startUp(world.random);
    const clock = new parts.SteadyClock(process.clock);
    const market = await parts.whenAnswered('a feed', { clock: process.clock, log }, () =>
      parts.BusMarket.open({
        bus,
        // A simulated market knows its prices: nothing is written for it.
        db: {} as Db,
        clock,
        log,
        name: world.feedName,
        onGap: () => world.note('gap'),
        onOtherMarket: () => world.onOtherMarket(process),
      }),
    );
    this.reader = new Reader(process.name, market, bus, world);
    this.market = market;
    const epochs = await parts.Epochs.open({ next: () => client.nextEpoch(), bus, clock, log });
    if (epochs.present > 1) world.note('engine replaced');
    client.onReclaimed(() => {
      this.sessions.clear();
      this.trading?.forget();
      void epochs.begin();
    });
    this.gateways = new parts.EngineBus({
      bus,
      clock,
      epochs,
      shard,
      divided: true,
      authenticate: (tokenHash) => this.authenticate(tokenHash),
    });
    await market.start();
    const hasDatabase = () => !process.hasEnded && client.isConnected;
    this.trading = await books?.open(world, process, market, hasDatabase);
    this.gateways.start(`http://${process.name}`);
    this.isServing = true;
  }

  /** Something happens to a user; the user is told after the commit. */
  happen(account: Account): void {
    this.commit(
      () => ++account.happened,
      (number) => {
        this.options.world.note('push');
        const data = { Id: number } as OrderRow;
        this.gateways?.toUser(account.id, { type: 'FOREX_TRADE', data });
      },
    );
  }

  endSession(account: Account): void {
    this.commit(
      () => account.renew(),
      (sessionId) => {
        this.options.world.note('session ended');
        for (const [tokenHash, caller] of this.sessions) {
          if (caller.sessionId === sessionId) this.sessions.delete(tokenHash);
        }
        this.gateways?.endSession(sessionId);
      },
    );
  }

  /** A user trades at the market's price, or is refused. */
  fill(instrumentId: number): void {
    const { market, reader, bus } = this;
    const { world, parts } = this.options;
    this.process.reach(
      () =>
        void market?.exclusively(() => {
          const quote = market.quote(instrumentId);
          if (!quote) return;
          if (!quote.marketOpen || parts.isStale(quote)) return world.note('fill refused');
          world.note('fill');
          reader?.checkPrice(instrumentId, quote);
          const silence = world.time.elapsed() - bus.lastSentAt;
          if (silence > FILLED_WITHIN_MS) world.fail(`filled after a silence of ${silence} ms`);
        }),
    );
  }

  /** Asks for past prices, as matching does after a gap: it must not know more than has arrived here. */
  askRange(instrumentId: number, since: UnixMs): void {
    const { market, reader, isServing } = this;
    if (!isServing) return;
    this.process.reach(
      () =>
        void market?.exclusively(async () => {
          try {
            reader?.checkRange(instrumentId, since, await market.priceRange(instrumentId, since));
          } catch {
            this.options.world.note('range unknown');
          }
        }),
    );
  }

  private async authenticate(tokenHash: string): Promise<Caller | undefined> {
    const known = this.sessions.get(tokenHash);
    if (known) return known;
    const { accounts } = this.options;
    const caller = await this.client.query(() =>
      accounts.map((each) => each.callerOf(tokenHash)).find((each) => each),
    );
    if (caller) this.sessions.set(tokenHash, caller);
    return caller;
  }

  private commit<T>(work: () => T, tell: (done: T) => void): void {
    this.process.reach(() => {
      if (this.isServing) this.client.query(work).then(tell, () => {});
    });
  }
}
