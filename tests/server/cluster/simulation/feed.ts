import type { Db } from '../../../../server/db/database';
import type { HaltableMarket } from '../../../../server/market/halts/haltableMarket';
import type { ClusterParts } from './clusterParts';
import { feedMarket } from './feedMarket';
import { DatabaseClient, type SimulatedDatabase } from './simulatedDatabase';
import type { SimulatedBus } from './simulatedNats';
import type { SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

const NO_HALTS = { select: () => ({ from: async () => [] }) } as unknown as Db;

/** A feed or its standby, as server/feedApp.ts composes it, without HTTP. */
export class Feed {
  readonly process: SimulatedProcess;
  readonly bus: SimulatedBus;
  readonly client: DatabaseClient;
  /** Once it serves. */
  market: HaltableMarket | undefined;
  private readonly database: SimulatedDatabase;
  private readonly world: World;
  private readonly parts: ClusterParts;

  constructor(
    process: SimulatedProcess,
    world: World,
    database: SimulatedDatabase,
    parts: ClusterParts,
  ) {
    this.process = process;
    this.world = world;
    this.parts = parts;
    this.database = database;
    this.bus = world.nats.connect(process);
    this.client = new DatabaseClient(database, process, { expires: true });
  }

  async run(): Promise<void> {
    const { bus, client, process, world, parts } = this;
    const { log } = world;
    await client.open();
    await process.startUp(world.random);
    const clock = new parts.SteadyClock(process.clock);
    const { marketTime } = this.database;
    if (marketTime > 0) world.note('feed replaced');
    const own = feedMarket(
      parts,
      process.clock,
      log,
      marketTime,
      () => epochs.present,
      world.hasBook,
    );
    const market = new parts.HaltableMarket(own, NO_HALTS);
    const next = async () => {
      const epoch = await client.nextEpoch();
      world.epochs.set(epoch, process.name);
      return epoch;
    };
    const epochs = await parts.Epochs.open({ next, bus, clock, log });
    client.onReclaimed(() => void epochs.begin());
    const served = new parts.MarketServer({ bus, market, clock, epochs });
    await market.start();
    client.renewLease(() => market.now());
    served.start();
    this.market = market;
  }
}
