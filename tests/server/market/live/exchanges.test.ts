import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/period';
import type { Database } from '../../../../server/db/database';
import { LiveMarket } from '../../../../server/market/live/liveMarket';
import { drawn, inTurn, largeCount, samples, seed } from '../../../helpers/samples';
import { dialects, type ExchangeName, FakeExchange } from '../../../programs/fakeExchange/exchange';
import { codeOf, type Pair, randomNumbers } from '../../../programs/fakeExchange/market';
import { emptyDatabase } from '../../support/database';
import { FakeClock } from '../../support/fakeClock';
import { RecordingLog } from '../recordingListener';
import { liveOptions, settled } from './opening';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 23, 10, 30, 10);
/** Of a large count, which takes its time in a soak. */
const LONG = { timeout: samples(60_000, 2 * 3_600_000) };
const names = Object.keys(dialects) as ExchangeName[];

/** A live market at an exchange in which things go wrong. */
class Session {
  readonly exchange: FakeExchange;
  market: LiveMarket;
  readonly clock: FakeClock;
  /** The place of a pair, from 1, is its instrument's id. */
  readonly codes: readonly string[];
  /** Trades of all pairs, where there are several. */
  tradesPerSecond = 0;
  readonly log: RecordingLog;
  private readonly database: Database;
  private readonly random: () => number;

  private constructor(
    exchange: FakeExchange,
    market: LiveMarket,
    database: Database,
    clock: FakeClock,
    codes: readonly string[],
    random: () => number,
    log: RecordingLog,
  ) {
    this.exchange = exchange;
    this.market = market;
    this.database = database;
    this.clock = clock;
    this.codes = codes;
    this.random = random;
    this.log = log;
  }

  /** `pairs`: that it lists and trades; otherwise those of the exchange, of which one is traded. */
  static async open(name: ExchangeName, number: number, pairs?: readonly Pair[]): Promise<Session> {
    const clock = new FakeClock(toUnixMs(START - 5 * MINUTE));
    const exchange = await FakeExchange.start(name, clock, number, 0, pairs);
    const [pair] = exchange.market.pairs;
    if (!pair) throw new Error('no pair');
    for (let second = 0; second < 300; second += pairs ? 60 : 1) {
      for (const each of exchange.market.pairs) exchange.market.trade(codeOf(each), clock.now());
      clock.pass(pairs ? 60_000 : 1_000);
    }
    const database = await emptyDatabase();
    const codes = pairs ? pairs.map(codeOf) : [codeOf(pair)];
    const log = new RecordingLog();
    const market = await startMarket(name, codes, exchange, database, clock, log);
    return new Session(exchange, market, database, clock, codes, randomNumbers(number + 2), log);
  }

  /** Starts the market again after `minutes`, in each of which its pair was traded. */
  async restartAfter(minutes: number, name: ExchangeName): Promise<void> {
    const { exchange, clock, codes, database, log } = this;
    await Promise.all([this.market.stop(), clock.advance(2_000)]);
    for (let minute = 0; minute < minutes; minute++) {
      clock.pass(MINUTE);
      for (const code of codes) exchange.trade(code);
    }
    this.market = await startMarket(name, codes, exchange, database, clock, log);
  }

  /** All its instruments are open. */
  get isOpen(): boolean {
    return this.market.instruments.every(({ id }) => this.market.quote(id)?.marketOpen === true);
  }

  private trade(): void {
    const { exchange, codes, tradesPerSecond } = this;
    const some = () => codes[Math.floor(this.random() * codes.length)] as string;
    if (tradesPerSecond > 0) {
      for (let count = 0; count < tradesPerSecond / 10; count++) exchange.trade(some());
    } else if (this.random() < 0.3) exchange.trade(some(), 1 + Math.floor(this.random() * 3));
  }

  /** Goes on by `ms`, with trades, and looks at each price that users may trade at. */
  async pass(ms: number, done = () => false): Promise<void> {
    const { exchange, clock, market, codes } = this;
    for (let passed = 0; passed < ms && !done(); passed += 100) {
      this.trade();
      await clock.advance(100);
      await exchange.read();
      await turn();
      const index = Math.floor(this.random() * codes.length);
      const quote = market.quote(index + 1);
      if (!quote?.marketOpen || quote.stale) continue;
      const recent = exchange.market
        .trades(codes[index] as string)
        .filter(({ time }) => time > clock.now() - MINUTE - 15_000)
        .map(({ price }) => Number(price));
      expect(recent, 'a price that is not recent').toContain(quote.price);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.market.stop(), this.clock.advance(2_000)]);
    await this.exchange.stop();
    await this.database.close();
  }
}

async function startMarket(
  name: ExchangeName,
  codes: readonly string[],
  exchange: FakeExchange,
  database: Database,
  clock: FakeClock,
  log: RecordingLog,
): Promise<LiveMarket> {
  const options = liveOptions(exchange.port, { exchanges: [name], codes });
  const market = await settled(LiveMarket.open(options, database.db, clock, log), async (done) => {
    while (!done()) {
      await clock.advance(20);
      await exchange.read();
    }
  });
  await market.start();
  return market;
}

/** The bars of an instrument of the session and those of the exchange, of minutes that are over. */
async function barsOf(
  { exchange, market, clock, codes }: Session,
  period: Period = '1min',
  id = 1,
) {
  const length = PERIOD_SECONDS[period];
  const over = Math.floor((clock.now() - 5_000) / MINUTE) * 60;
  const isOver = ({ time }: { time: number }) => time + length <= over;
  const own = exchange.market.bars(codes[id - 1] as string, length / 60).map((bar) => ({
    time: bar.time / 1000,
    open: Number(bar.open),
    high: Number(bar.high),
    low: Number(bar.low),
    close: Number(bar.close),
    volume: Number(bar.volume),
  }));
  const bars = await market.bars(id, period, 5_000);
  return { bars: bars.filter(isOver).map((bar) => ({ ...bar })), own: own.filter(isOver) };
}

const faults: Record<string, (session: Session) => Promise<void>> = {
  kill: async ({ exchange }) => exchange.kill(),
  end: async ({ exchange }) => exchange.end(),
  gap: async ({ exchange }) => exchange.skipNumber(),
  silence: async (session) => {
    session.exchange.faults.silent = true;
    await session.pass(20_000, () => !session.isOpen);
    expect(session.isOpen).toBe(false);
    session.exchange.faults.silent = false;
  },
  'slow handshake': async (session) => {
    session.exchange.faults.handshake = 1_000;
    session.exchange.kill();
    await session.pass(2_500);
    session.exchange.faults.handshake = 0;
  },
  refusal: async (session) => {
    session.exchange.faults.status = 503;
    session.exchange.kill();
    await session.pass(1_500);
    session.exchange.faults.status = 200;
  },
};

function pairsOf(count: number): Pair[] {
  return Array.from({ length: count }, (_, index) => {
    return { base: `C${index}`, quote: 'USD', decimals: 2 };
  });
}

interface Crowd {
  pairs: readonly Pair[];
  tradesPerSecond: number;
  /** How long all of them may take to open, ms. */
  patience: number;
}

/** Compares bars of `minutes` of a session with the exchange's own. Returns how many there are. */
async function run(
  name: ExchangeName,
  number: number,
  minutes: number,
  crowd?: Crowd,
): Promise<number> {
  const session = await Session.open(name, number, crowd?.pairs);
  const patience = crowd?.patience ?? 90_000;
  try {
    const random = randomNumbers(number + 3);
    await session.pass(crowd?.patience ?? 10_000, () => session.isOpen);
    expect(session.isOpen, `${name} opens`).toBe(true);
    session.tradesPerSecond = crowd?.tradesPerSecond ?? 0;
    Object.assign(session.exchange.faults, { duplicated: 0.1, late: 0.2, malformed: 0.02 });
    const end = START + minutes * MINUTE;
    while (session.clock.now() < end) {
      await session.pass(random() * 40_000);
      const kinds = Object.keys(faults);
      const kind = kinds[Math.floor(random() * kinds.length)] ?? '';
      await faults[kind]?.(session);
      await session.pass(200);
      await session.pass(patience, () => session.isOpen);
      expect(session.isOpen, `${name} opens again after ${kind}`).toBe(true);
    }
    // The last minute is over, and so is what was to come of it.
    await session.pass(MINUTE + 15_000);
    let count = 0;
    for (const { id } of session.market.instruments) {
      const { bars, own } = await barsOf(session, '1min', id);
      expect(bars).toEqual(own);
      count += bars.length;
    }
    expect(session.exchange.violations).toEqual([]);
    return count;
  } finally {
    await session.close();
  }
}

describe('a live market at an exchange in which things go wrong', () => {
  let session: Session | undefined;
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });

  // Half of the exchanges in `npm test`: the next tests have each of them.
  it.each(drawn(names, 3))('%s: has the exchange’s own bars', LONG, async (name) => {
    await largeCount(`sessions at ${name}`, samples(1, 200), async (progress) => {
      let bars = 0;
      for (let n = 0; n < samples(1, 200) && progress(n); n++)
        bars += await run(name, seed + n, samples(2, 10));
      return `${bars} bars equal`;
    });
  });

  it.each(drawn(names, 3))(
    '%s: is live again five seconds after a lost connection',
    async (name) => {
      session = await Session.open(name, seed);
      const { exchange, clock } = session;
      const current = session;
      await session.pass(10_000, () => current.isOpen);
      exchange.kill();
      await session.pass(1_000, () => !current.isOpen);
      expect(session.isOpen).toBe(false);
      const lost = clock.now();
      await session.pass(20_000, () => current.isOpen);
      expect(session.isOpen).toBe(true);
      expect(clock.now() - lost).toBeLessThan(5_000);
      expect(exchange.calls.every(({ agent }) => agent.includes('Fulcrum'))).toBe(true);
    },
  );

  it.each(names)('%s: keeps the prices of all others where a pair is delisted', async (name) => {
    session = await Session.open(name, seed, pairsOf(6));
    const { exchange, market, log } = session;
    const current = session;
    await session.pass(20_000, () => current.isOpen);
    exchange.market.delist('C4/USD');
    exchange.kill();
    await session.pass(500);
    const open = () =>
      market.instruments.filter(({ id }) => market.quote(id)?.marketOpen).map(({ code }) => code);
    await session.pass(10_000, () => open().length === 5);
    expect(open().sort()).toEqual(['C0/USD', 'C1/USD', 'C2/USD', 'C3/USD', 'C5/USD']);
    await session.pass(5_000);
    expect(log.warnings.filter((each) => each.includes('refused'))).toHaveLength(1);
    expect(log.warnings.join('\n')).toMatch(/refused C4\/USD: .*left out/);
    expect(log.warnings.join('\n')).toContain('no longer lists C4/USD');
    // Its list is read again.
    exchange.market.relist('C4/USD');
    await session.pass(70_000, () => current.isOpen);
    expect(current.isOpen).toBe(true);
    expect(exchange.violations).toEqual([]);
  });

  it.each(drawn(names, 3))(
    '%s: has the whole minute that ends while its connection is dead',
    async (name) => {
      session = await Session.open(name, seed);
      const { clock, exchange } = session;
      const current = session;
      await session.pass(10_000, () => current.isOpen);
      const wholeMinute = Math.ceil(clock.now() / MINUTE) * MINUTE;
      await session.pass(wholeMinute + 57_000 - clock.now());
      exchange.faults.silent = true;
      await session.pass(20_000, () => !current.isOpen);
      expect(session.isOpen).toBe(false);
      exchange.faults.silent = false;
      await session.pass(90_000, () => current.isOpen);
      await session.pass(MINUTE + 15_000);
      const { bars, own } = await barsOf(session);
      expect(bars.some(({ time }) => time * 1000 === wholeMinute)).toBe(true);
      expect(bars).toEqual(own);
    },
  );

  it.each(drawn(names, 3))('%s: has all minutes of a time without the server', async (name) => {
    session = await Session.open(name, seed);
    const current = session;
    await session.pass(10_000, () => current.isOpen);
    // Kraken tells 720 minutes; a call of each of the others fewer than these.
    const minutes = name === 'kraken' ? 650 : 1_500;
    await session.restartAfter(minutes, name);
    await session.pass(30_000, () => current.isOpen);
    await session.pass(MINUTE + 15_000);
    const { bars, own } = await barsOf(session);
    expect(bars.length).toBeGreaterThan(minutes);
    expect(bars).toEqual(own);
    // The history of longer periods is read from the exchange too.
    for (const period of PERIODS) {
      const longer = await barsOf(session, period);
      expect(longer.bars).toEqual(longer.own);
    }
    expect(session.exchange.violations).toEqual([]);
  });

  inTurn(it)('has the bars of each of many pairs that are traded often', LONG, async () => {
    const [count, tradesPerSecond, minutes] = [
      samples(12, 500),
      samples(60, 2_000),
      samples(2, 20),
    ];
    await largeCount('minutes of 500 pairs at 2,000 trades a second', minutes, async () => {
      const crowd = { pairs: pairsOf(count), tradesPerSecond, patience: samples(60_000, 600_000) };
      return `${await run('kraken', seed, minutes, crowd)} bars equal`;
    });
  });

  inTurn(it)(
    'keeps the limits of Kraken with 500 pairs, which all open, and open again',
    async () => {
      session = await Session.open('kraken', seed, pairsOf(500));
      const { market, exchange, clock } = session;
      const isOpen = ({ id }: { id: number }) => market.quote(id)?.marketOpen === true;
      const open = () => market.instruments.filter(isOpen).length;
      const until = async (done: () => boolean) => {
        const began = clock.now();
        while (!done() && clock.now() - began < 120_000) {
          await clock.advance(250);
          await exchange.read();
          await turn();
        }
        return clock.now() - began;
      };
      expect(await until(() => open() > 0)).toBeLessThan(5_000);
      await until(() => open() === 500);
      expect(open()).toBe(500);
      expect(exchange.connections).toBe(2);
      exchange.kill();
      await until(() => open() === 0);
      expect(await until(() => open() > 0)).toBeLessThan(5_000);
      await until(() => open() === 500);
      expect(open()).toBe(500);
      expect(exchange.violations).toEqual([]);
    },
  );
});
