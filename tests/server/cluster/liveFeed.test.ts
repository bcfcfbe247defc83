import { afterEach, beforeEach, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { BusMarket } from '../../../server/cluster/busMarket';
import { Epochs } from '../../../server/cluster/epochs';
import { MarketServer } from '../../../server/cluster/marketServer';
import type { Database } from '../../../server/db/database';
import { orders } from '../../../server/db/schema';
import { HaltableMarket } from '../../../server/market/halts/haltableMarket';
import { LiveMarket } from '../../../server/market/live/liveMarket';
import { inTurn } from '../../helpers/samples';
import { liveOptions, passUntil, settled } from '../market/live/opening';
import { ScriptedKraken } from '../market/live/scriptedKraken';
import { RecordingLog } from '../market/recordingListener';
import { emptyDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { market as marketOrder, TestTrading } from '../trading/testTrading';
import { FakeBroker } from './fakeBus';

/** The start of the minute in which the tests begin, s. */
const M0 = Date.UTC(2026, 10, 23, 10, 30) / 1000;
const BTC = 1;

let clock: FakeClock;
let broker: FakeBroker;
let kraken: ScriptedKraken;
let databases: { feed: Database; engine: Database };
let epoch: number;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  clock = new FakeClock(toUnixMs((M0 + 10) * 1000));
  broker = new FakeBroker();
  kraken = await ScriptedKraken.start();
  databases = { feed: await emptyDatabase(), engine: await emptyDatabase() };
  epoch = 0;
  stops = [];
  kraken.rows.set(1, [
    [M0 - 60, 100, 100, 100, 100, 1],
    [M0, 100, 100, 100, 100, 1],
  ]);
});

afterEach(async () => {
  for (const stop of [...stops]) await stop();
  await kraken.stop();
  for (const database of Object.values(databases)) await database.close();
});

/** Moves time on, in steps in which messages come, until `done`. */
function until(done: () => boolean, step = 100): Promise<void> {
  return passUntil(clock, done, step, () => {
    kraken.send({ channel: 'heartbeat' });
    broker.deliver();
  });
}

async function passing<T>(promise: Promise<T>): Promise<T> {
  return settled(promise, until);
}

function stopOnce(stop: () => Promise<unknown>): () => Promise<void> {
  const once = async () => {
    if (!stops.includes(once)) return;
    stops = stops.filter((each) => each !== once);
    await passing(stop());
  };
  stops.push(once);
  return once;
}

/** The live market of a feed; returns what stops it. */
async function startFeed() {
  const { db } = databases.feed;
  const bus = broker.connect();
  const log = new RecordingLog();
  const options = liveOptions(kraken.port, { codes: ['BTC/USD'] });
  const live = await passing(LiveMarket.open(options, db, clock, log));
  const market = new HaltableMarket(live, db);
  const epochs = await Epochs.open({ next: async () => ++epoch, bus, clock, log });
  const served = new MarketServer({ bus, market, clock, epochs });
  await market.start();
  served.start();
  await until(() => market.quote(BTC)?.marketOpen === true);
  return stopOnce(async () => {
    served.stop();
    await bus.close();
    await market.stop();
  });
}

class Engine {
  readonly market: BusMarket;
  readonly trading: TestTrading;
  readonly stop: () => Promise<void>;
  private readonly bus: ReturnType<FakeBroker['connect']>;

  private constructor(market: BusMarket, trading: TestTrading, bus: Engine['bus']) {
    this.market = market;
    this.trading = trading;
    this.bus = bus;
    this.stop = stopOnce(async () => {
      await market.stop();
      trading.close();
      expect(trading.errors).toEqual([]);
    });
  }

  static async start(): Promise<Engine> {
    const { db } = databases.engine;
    const bus = broker.connect();
    const options = { bus, db, clock, log: new RecordingLog(), name: 'Fulcrum' };
    const market = await passing(BusMarket.open({ ...options, onGap() {}, onOtherMarket() {} }));
    await passing(market.start());
    const trading = await passing(TestTrading.open(db, market));
    return new Engine(market, trading, bus);
  }

  /** It hears, matches and writes nothing more. */
  kill(): void {
    this.bus.connected = false;
    this.trading.close();
    stops = stops.filter((each) => each !== this.stop);
  }

  /** A trade at Kraken, which the engine has matched. */
  async price(value: number): Promise<void> {
    tradeAt(value);
    await until(() => this.market.quote(BTC)?.price === value, 1);
    await this.market.exclusively(() => {});
  }

  async stopLosses(user: number): Promise<(string | undefined)[]> {
    return (await this.trading.rows(user, 1)).map(({ TargetLossPrice }) => TargetLossPrice);
  }
}

function tradeAt(price: number): void {
  kraken.trades([{ time: clock.now(), price, volume: 1 }]);
}

const following = marketOrder({ lots: '0.1', leverage: '10', trailing: '5' });

it.each(['stopped', 'killed'])(
  'a stop keeps what it has followed in its first minute when feed and engine are %s',
  async (how) => {
    const stopFeed = await startFeed();
    const first = await Engine.start();
    const user = await first.trading.addUser();
    await first.price(120);
    await first.price(100);
    await passing(first.trading.submit(user, BTC, following));
    await first.price(110);
    if (how === 'stopped') await first.stop();
    else {
      // A second later it is written.
      const due = clock.elapsed() + 1_500;
      await until(() => clock.elapsed() > due);
      first.kill();
    }
    await stopFeed();
    // The minute's high is from before the order.
    kraken.rows.set(1, [[M0, 100, 120, 100, 107, 9]]);
    await startFeed();
    const second = await Engine.start();
    expect(await second.stopLosses(user)).toEqual(['105.0']);
  },
);

inTurn(it)('an engine that has its database again writes no order as it was before', async () => {
  await startFeed();
  const first = await Engine.start();
  const user = await first.trading.addUser();
  await first.price(100);
  const { id } = await passing(first.trading.submit(user, BTC, following));
  // Another engine has had the database meanwhile, while prices came here too.
  const other = await Engine.start();
  await passing(other.trading.run((work) => other.trading.engine.close(work, user, id)));
  other.kill();
  await first.price(110);
  expect(first.trading.engine.hasMoved).toBe(true);
  first.trading.engine.forget();
  const due = clock.elapsed() + 3_000;
  await until(() => clock.elapsed() > due);
  const [order] = await databases.engine.db.select().from(orders);
  expect(order?.status).toBe('closed');
});

inTurn(it)(
  'an engine that starts again learns the prices of the open minute that it has missed',
  async () => {
    await startFeed();
    const first = await Engine.start();
    const user = await first.trading.addUser();
    await first.price(100);
    await passing(first.trading.submit(user, BTC, following));
    first.kill();
    tradeAt(110);
    await until(() => clock.now() > (M0 + 20) * 1000);
    tradeAt(107);
    const second = await Engine.start();
    expect(await second.stopLosses(user)).toEqual(['105.0']);
    await second.price(104.9);
    expect(await second.trading.rows(user, 3)).toMatchObject([
      { CloseReason: 'stop_loss', UpdatePrice: '104.9' },
    ]);
  },
);
