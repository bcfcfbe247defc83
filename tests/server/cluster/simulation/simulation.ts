import { toDurationMs, toUnixMs } from '#domain/core/time';
import { SUBJECTS } from '../../../../server/cluster/bus';
import type { RemoteMarket } from '../../../../server/cluster/remoteMarket';
import type { HaltableMarket } from '../../../../server/market/halts/haltableMarket';
import { SeededRandom } from '../../../workers/simulation/seededRandom';
import { FakeClock } from '../../support/fakeClock';
import { Books, type WatchedDatabase } from './books';
import { type ClusterParts, PRESENT } from './clusterParts';
import { Engine } from './engine';
import {
  type Episode,
  type Fault,
  FEW,
  HEALED_AT,
  LONGEST_CUT_MS,
  MANY,
  ON_THE_WAY,
  plan,
} from './faults';
import { Feed } from './feed';
import { barText, MONDAY, type Truth } from './feedMarket';
import { Gateway } from './gateway';
import { Account, Phone } from './phones';
import type { Reader } from './reader';
import { SimulatedDatabase } from './simulatedDatabase';
import { type SimulatedBus, SimulatedNats, type Trouble } from './simulatedNats';
import { AHEAD_MS, SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

/** When it begins in the last minute of a day, so that most of it is on the next one, ms. */
const BEGUN_AFTER_MS = [20_000, 57_000] as const;
/** Until the supervisor starts a process again that has ended, ms. */
const RESTART_MS = [300, 2_500] as const;
/** Everything must be right again this long after the last fault, ms. */
const CONVERGED_WITHIN_MS = 20_000;
/** With many alerts that have missed prices: some thirty questions for each, one after the other. */
const TRADED_WITHIN_MS = 40_000;
/** Between two looks at all that is shown, ms. */
const STEP_MS = 40;
/** Between two breaks of a connection that is bad, ms. */
const FLAPPING_MS = [500, 4_000] as const;
const BARS = 3;
const MINUTE_MS = 60_000;

interface Role {
  readonly process: SimulatedProcess;
  readonly bus: SimulatedBus;
  run(): Promise<void>;
}

/** A role as a supervisor keeps it: a process that has ended is started again. */
class Unit<R extends Role = Role> {
  current: R;
  readonly name: string;
  private readonly world: World;
  private readonly create: (process: SimulatedProcess, parts: ClusterParts) => R;
  private parts: ClusterParts;
  private readonly aheadMs: number;
  private started = 0;

  constructor(
    name: string,
    world: World,
    parts: ClusterParts,
    create: (process: SimulatedProcess, parts: ClusterParts) => R,
  ) {
    this.name = name;
    this.world = world;
    this.create = create;
    this.parts = parts;
    this.aheadMs = world.random.between(-AHEAD_MS, AHEAD_MS);
    this.current = this.start();
  }

  /** Starts the program of another release in its place. */
  replaceBy(parts: ClusterParts): void {
    this.world.log.info(`${this.name}: the ${parts.release} release`);
    this.parts = parts;
    this.current.process.kill();
  }

  private start(): R {
    const { time, random, log } = this.world;
    const process = new SimulatedProcess(`${this.name}.${++this.started}`, time, this.aheadMs);
    process.onEnd(() => {
      time.after(toDurationMs(random.between(...RESTART_MS)), () => {
        this.current = this.start();
      });
    });
    const role = this.create(process, this.parts);
    role.run().catch((error: Error) => {
      log.info(`${process.name} ends: ${error.message}`);
      process.kill();
    });
    return role;
  }
}

export interface Outcome {
  happened: Record<string, number>;
  /** From the end of the last fault until everything was right, ms. */
  convergedAfter: number;
  /** Everything that has reached a process, and what was done to it. */
  log: readonly string[];
}

/** Feeds, engines and gateways with a bus between them, on one clock, with the faults of a seed. */
export class Simulation {
  readonly episodes: readonly Episode[];
  readonly log: string[] = [];
  private readonly world: World;
  private readonly random: SeededRandom;
  private readonly time: FakeClock;
  private readonly nats: SimulatedNats;
  private readonly feedDatabase = new SimulatedDatabase();
  private readonly databases: readonly SimulatedDatabase[];
  private readonly accounts: readonly Account[];
  private readonly feeds: readonly Unit<Feed>[];
  private readonly engines: readonly Unit<Engine>[];
  private readonly gateways: readonly Unit<Gateway>[];
  private readonly phones: readonly Phone[];
  private readonly database: WatchedDatabase | undefined;
  private readonly books: Books | undefined;
  private readonly former: ClusterParts | undefined;
  private readonly happened: Record<string, number> = {};
  private readonly failures: string[] = [];

  /** With `database`, the one engine trades on it. With `former`, the processes are of that release at first, and are upgraded. */
  constructor(
    seed: number,
    truth: Truth,
    {
      database,
      former,
    }: { database?: WatchedDatabase | undefined; former?: ClusterParts | undefined } = {},
  ) {
    const random = new SeededRandom(seed);
    this.random = random;
    this.episodes = plan(random, former ? FEW : MANY);
    this.former = former;
    const time = new FakeClock(toUnixMs(MONDAY + random.between(...BEGUN_AFTER_MS)));
    this.time = time;
    const note = (what: string) => {
      this.happened[what] = (this.happened[what] ?? 0) + 1;
    };
    const fail = (text: string) => {
      this.say(`FAILED: ${text}`);
      this.failures.push(text);
    };
    this.nats = new SimulatedNats({
      clock: time,
      random,
      note,
      onDelivered: ({ subject, from, to, data }) => {
        this.say(`${from} to ${to}: ${subject}, ${data.length} bytes`);
        if (subject === SUBJECTS.market && epochOf(data) < this.lastEpoch) {
          note('batch of a stale epoch');
        }
      },
    });
    const log = {
      info: (text: string) => this.say(text),
      warn: (text: string) => {
        if (text.startsWith('The feed is silent')) note('market closed');
        this.say(text);
      },
      error: (text: string) => {
        if (former?.isRead === false && text.includes('another version')) note('message not read');
        else fail(text);
      },
    };
    const { nats } = this;
    const epochs = new Map<number, string>();
    const feedName = 'Fulcrum';
    const hasBook = former?.isRead === true && random.chance(0.5);
    const onOtherMarket = (process: SimulatedProcess) => {
      // As server/main.ts does.
      if (!former) return fail(`${process.name}: another market`);
      note('market with both sides');
      process.kill();
    };
    const world: World = {
      ...{ time, random, nats, truth, epochs, feedName, hasBook, log, note, fail, onOtherMarket },
    };
    this.world = world;
    this.database = database;
    this.books = database && new Books(database);
    const shards = database ? 1 : random.between(1, 2);
    this.databases = Array.from({ length: shards }, () => new SimulatedDatabase());
    this.accounts = Array.from(
      { length: 2 * shards },
      (_, at) => new Account(at + 1, 1 + (at >> 1)),
    );
    const { feedDatabase, accounts, books } = this;
    const first = former ?? PRESENT;
    this.feeds = ['feed', 'standby'].map(
      (name) =>
        new Unit(
          name,
          world,
          first,
          (process, parts) => new Feed(process, world, feedDatabase, parts),
        ),
    );
    this.engines = this.databases.flatMap((database, at) =>
      // The first engine has a standby.
      (at === 0 ? ['', '-standby'] : ['']).map(
        (suffix) =>
          new Unit(`engine-${at + 1}${suffix}`, world, first, (process, parts) => {
            const shard = at + 1;
            const own = accounts.filter((each) => each.shard === shard);
            return new Engine(process, { world, parts, database, shard, accounts: own, books });
          }),
      ),
    );
    this.gateways = Array.from(
      { length: random.between(2, 3) },
      (_, at) =>
        new Unit(
          `gateway-${at + 1}`,
          world,
          first,
          (process, parts) => new Gateway(process, world, parts),
        ),
    );
    const gateways = () => this.gateways.map(({ current }) => current);
    this.phones = accounts.flatMap((account) =>
      [1, 2].map(() => new Phone(account, world, gateways)),
    );
  }

  async run(): Promise<Outcome> {
    for (const phone of this.phones) phone.connectLater();
    for (const episode of this.episodes) {
      this.time.after(toDurationMs(episode.from), () => this.begin(episode));
    }
    if (this.former) this.upgrade(this.former);
    this.live();
    while (this.time.elapsed() < HEALED_AT) await this.pass(STEP_MS);
    const convergedAfter = await this.converge();
    await this.endQuietly();
    const { happened, log } = this;
    return { happened, convergedAfter, log };
  }

  /**
   * One process after the other is replaced, in one of the two orders; where a feed has what the former release can't read, gateways and
   * engines come first (deploy/upgrade.mjs). Some upgrades stop in the middle: what is left works with what is new, where it reads it. Others are set back,
   * and some of these begun again.
   */
  private upgrade(former: ClusterParts): void {
    const { random, time, world } = this;
    const { feeds, engines, gateways } = this;
    const readersFirst = world.hasBook || random.chance(0.5);
    world.note(`upgrade, ${readersFirst ? 'gateways' : 'feeds'} first`);
    const groups = [gateways, engines, feeds];
    const units = (readersFirst ? groups : groups.reverse()).flat();
    const to = (parts: ClusterParts) => (unit: Unit) => ({ unit, parts });
    // A release that is not read has faults of its own, which the present one has no more.
    const ends = ['whole', 'begun again', ...(former.isRead ? ['set back', 'stopped'] : [])];
    const end = random.pick(ends);
    world.note(`upgrade ${end}`);
    const done = end === 'whole' ? units : units.slice(0, random.between(1, units.length - 1));
    const steps = done.map(to(PRESENT));
    if (end === 'set back' || end === 'begun again') steps.push(...done.map(to(former)).reverse());
    if (end === 'begun again') steps.push(...units.map(to(PRESENT)));
    const moments = steps.map(() => random.between(1_000, HEALED_AT - 1_000));
    moments.sort((a, b) => a - b);
    for (const [index, { unit, parts }] of steps.entries()) {
      time.after(toDurationMs(moments[index] as number), () => {
        world.note('process of another release');
        unit.replaceBy(parts);
      });
    }
  }

  /** What users do. */
  private live(): void {
    const { random, world } = this;
    const repeat = (least: number, most: number, action: () => void) => {
      this.time.after(toDurationMs(random.between(least, most)), () => {
        if (this.time.elapsed() > HEALED_AT) return;
        action();
        repeat(least, most, action);
      });
    };
    repeat(200, 1_000, () => {
      const account = random.pick(this.accounts);
      this.engineOf(account.shard)?.happen(account);
    });
    repeat(1_000, 6_000, () => {
      const account = random.pick(this.accounts);
      this.engineOf(account.shard)?.endSession(account);
    });
    repeat(200, 800, () => {
      random.pick(this.engines).current.fill(random.pick(world.truth.ids));
    });
    const { books } = this;
    if (books) {
      const trading = () => this.engineOf(1)?.trading;
      repeat(200, 2_000, () => books.place(world, trading));
      repeat(500, 3_000, () => books.amend(world, trading));
      repeat(1_000, 6_000, () => {
        const booked = trading();
        if (booked) books.watch(world, booked);
      });
    }
    repeat(500, 2_000, () => {
      const since = toUnixMs(this.time.now() - random.between(100, 20_000));
      random.pick(this.engines).current.askRange(random.pick(world.truth.ids), since);
    });
  }

  private begin({ fault, until }: Episode): void {
    const wait = toDurationMs(until - this.time.elapsed());
    this.say(`${fault}, for ${wait} ms`);
    const end = this.faults[fault](wait);
    if (end) this.time.after(wait, end);
    // What is lost or delayed is counted when it happens.
    if (!ON_THE_WAY.has(fault)) this.world.note(fault);
  }

  /** What begins each fault, and what ends it where it does not end by itself. */
  private readonly faults: Record<Fault, (wait: number) => (() => void) | undefined> = {
    'message lost': () => this.lose('lost'),
    'push lost': () => this.lose('pushesLost'),
    'request unanswered': () => this.lose('unanswered'),
    'messages delayed': () => {
      const { bus } = this.any;
      bus.isSlow = true;
      return () => {
        bus.isSlow = false;
      };
    },
    'process cut off': (wait) => {
      const { bus } = this.any;
      bus.cut();
      if (wait > LONGEST_CUT_MS) this.time.after(LONGEST_CUT_MS, () => bus.breakConnection());
      return () => bus.heal();
    },
    'connection broken': () => {
      const { bus } = this.any;
      let isBad = true;
      // The next one does not last either.
      const again = () => {
        if (!isBad) return;
        bus.breakConnection();
        this.time.after(this.random.between(...FLAPPING_MS), again);
      };
      again();
      return () => {
        isBad = false;
      };
    },
    'NATS down': () => {
      this.nats.stop();
      return () => this.nats.start();
    },
    'feed killed': () => kill(this.activeFeed),
    'feed paused': () => pause(this.activeFeed),
    'feed without database': () => cutFromDatabase(this.activeFeed),
    'standby killed': () => {
      const active = this.activeFeed;
      return kill(this.feeds.map(({ current }) => current).find((each) => each !== active));
    },
    'gateway killed': () => kill(this.random.pick(this.gateways).current),
    'gateway paused': () => pause(this.random.pick(this.gateways).current),
    'engine killed': () => kill(this.random.pick(this.engines).current),
    'engine paused': () => pause(this.random.pick(this.engines).current),
    'engine without database': () => {
      const engine = this.random.pick(this.engines).current;
      const database = this.databases.find(({ holder }) => holder === engine.process);
      const end = cutFromDatabase(engine);
      // The database may give the connection up before the engine knows.
      if (this.random.chance(0.5)) database?.endSession();
      return end;
    },
  };

  private lose(what: keyof Trouble): () => void {
    const { trouble } = this.nats;
    trouble[what] = this.random.between(2, 40) / 100;
    return () => {
      trouble[what] = 0;
    };
  }

  private get any(): Role {
    return this.random.pick<Unit>([...this.feeds, ...this.engines, ...this.gateways]).current;
  }

  /** The one with the database, or any while there is none. */
  private get activeFeed(): Feed {
    const { holder } = this.feedDatabase;
    const active = this.feeds.find(({ current }) => current.process === holder);
    return (active ?? this.random.pick(this.feeds)).current;
  }

  /** Lets time pass, and looks at what all readers show then. */
  private async pass(ms: number): Promise<void> {
    await this.time.advance(ms, () => this.database?.isIdle ?? true);
    for (const reader of this.readers) reader.check();
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'));
  }

  /** Resolves once everybody shows what the feed has; returns after how long that was. */
  private async converge(): Promise<number> {
    const healed = this.time.elapsed();
    for (;;) {
      const problem = this.problem();
      const after = this.time.elapsed() - healed;
      if (problem === undefined) return after;
      if (after > (this.books ? TRADED_WITHIN_MS : CONVERGED_WITHIN_MS))
        throw new Error(`after ${after} ms ${problem}`);
      await this.pass(STEP_MS);
    }
  }

  /** Nothing more happens: whatever was lost must be known by now. */
  private async endQuietly(): Promise<void> {
    const wait = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += STEP_MS) await this.pass(STEP_MS);
    };
    await wait(4_000);
    // A single push that is lost is known with the next one only.
    if (!this.happened['push lost']) this.checkPhones();
    const cuts = this.happened['phone cut'];
    for (const account of this.accounts) this.engineOf(account.shard)?.happen(account);
    await wait(4_000);
    if (!this.happened['push lost'] && this.happened['phone cut'] !== cuts)
      throw new Error('a phone was cut that has missed nothing');
    await this.converge();
    this.checkPhones();
    for (const [name, market] of this.markets) await this.checkBars(name, market);
    await this.checkBooks();
  }

  private async checkBooks(): Promise<void> {
    const { reader, trading } = this.engineOf(1) ?? {};
    if (!this.books || !reader || !trading) return;
    const counts = await this.books.check(this.world, trading, (id) => reader.reachedIndex(id));
    Object.assign(this.happened, counts);
  }

  /** Every phone knows all that has happened to its user, and sessions that have ended are logged out. */
  private checkPhones(): void {
    for (const { current: gateway } of this.gateways) {
      for (const socket of gateway.sockets) {
        if (!socket.isOpen || !socket.isLoggedIn) continue;
        const { account, sessionId } = socket;
        const isServed = [...gateway.logins.of(account.id)].includes(socket);
        const who = `user ${account.id} at ${gateway.process.name}`;
        if (sessionId !== account.sessionId && isServed)
          this.world.fail(`${who}: session has ended`);
        if (sessionId !== account.sessionId) continue;
        if (!isServed) this.world.fail(`${who}: logged out`);
        else if (!socket.isComplete) this.world.fail(`${who}: has missed messages`);
      }
    }
    if (this.failures.length > 0) throw new Error(this.failures.join('\n'));
  }

  private async checkBars(name: string, market: RemoteMarket): Promise<void> {
    const { truth } = this.world;
    for (const id of truth.ids) {
      const bars = await this.answered(market.bars(id, '1min', BARS));
      for (const bar of bars) {
        // Before the truth begins, or not closed yet.
        const ends = bar.time * 1000 + MINUTE_MS;
        if (ends <= MONDAY || ends > this.time.now() - MINUTE_MS / 2) continue;
        const expected = truth.bar(id, bar.time);
        if (expected && barText(bar) === barText(expected)) continue;
        throw new Error(`${name}: ${JSON.stringify(bar)} instead of ${JSON.stringify(expected)}`);
      }
    }
  }

  private async answered<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    void promise.then(end, end);
    while (!isDone) await this.pass(STEP_MS);
    return promise;
  }

  /** What is not right yet. */
  private problem(): string | undefined {
    const feed = this.feed;
    if (!feed) return 'no feed serves';
    for (const [shard, { holder }] of this.databases.entries()) {
      if (!holder || !this.engineOf(shard + 1)?.isServing)
        return `engine ${shard + 1} does not serve`;
    }
    if (this.gateways.some(({ current }) => !current.isServing)) return 'a gateway does not serve';
    for (const [name, market] of this.markets) {
      if (!market.isLive) return `${name} is not live`;
      if ((market.hasBook === true) !== (feed.hasBook === true))
        return `${name} has the sides of another feed`;
      for (const id of this.world.truth.ids) {
        if (present(market, id) !== present(feed, id)) return `${name} differs in instrument ${id}`;
      }
    }
    for (const { socket, account } of this.phones) {
      const isHere = socket?.isOpen && socket.isLoggedIn && socket.token === account.token;
      if (!isHere) return `a phone of user ${account.id} is not logged in`;
    }
    return this.books?.isQuiet === false ? 'a call has no answer' : undefined;
  }

  private get feed(): HaltableMarket | undefined {
    const { holder } = this.feedDatabase;
    return this.feeds.find(({ current }) => current.process === holder)?.current.market;
  }

  private engineOf(shard: number): Engine | undefined {
    const holder = this.databases[shard - 1]?.holder;
    return this.engines.find(({ current }) => current.process === holder)?.current;
  }

  private get markets(): [name: string, market: RemoteMarket][] {
    return [...this.gateways, ...this.engines].flatMap(({ current: { process, market } }) =>
      market && !process.hasEnded ? [[process.name, market]] : [],
    );
  }

  private get readers(): Reader[] {
    return [...this.gateways, ...this.engines].flatMap(({ current: { process, reader } }) =>
      reader && !process.hasEnded ? [reader] : [],
    );
  }

  private get lastEpoch(): number {
    return Math.max(0, ...this.world.epochs.keys());
  }

  private say(text: string): void {
    this.log.push(`${this.time.elapsed()} ${text}`);
  }
}

function kill(role: Role | undefined): undefined {
  role?.process.kill();
}

function pause({ process }: Role): () => void {
  process.pause();
  return () => process.resume();
}

function cutFromDatabase({ client: { network } }: Feed | Engine): () => void {
  network.close();
  return () => network.open();
}

/** What a market shows of an instrument. */
function present(market: RemoteMarket | HaltableMarket, id: number): string {
  const quote = market.quote(id);
  const { price, open, time, marketOpen, nextOpen, closedReason, bid, ask, stale } = quote ?? {};
  const bar = market.currentBar(id);
  return JSON.stringify([
    ...[price, open, time, marketOpen, nextOpen, closedReason, bid, ask, stale],
    bar && barText(bar),
  ]);
}

/** Of an update (server/cluster/marketUpdate.ts). */
function epochOf(batch: Uint8Array): number {
  return new DataView(batch.buffer, batch.byteOffset).getFloat64(1, true);
}
