import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import { SUBJECTS } from '../../../server/cluster/bus';
import { answerDescription } from '../../../server/cluster/description';
import { MarketPublisher, pageQuestion } from '../../../server/cluster/marketPublisher';
import { decodePage, encodeMarketUpdate } from '../../../server/cluster/marketUpdate';
import { RemoteMarket } from '../../../server/cluster/remoteMarket';
import { inTurn, samples, seed } from '../../helpers/samples';
import { RecordingListener, RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { FakeBroker, type FakeBus } from './fakeBus';

const IDS = [1, 2, 3];

/** An engine's market on a bus, and gateways that follow it, on one clock. */
class Machines {
  readonly clock = new FakeClock();
  readonly broker = new FakeBroker();
  readonly market: ScriptedMarket;
  /** What gateways show when they say that updates were missed. */
  readonly gaps: unknown[] = [];
  others = 0;
  bus: FakeBus = this.broker.connect();
  publisher: MarketPublisher;
  private lastEpoch = 1;

  constructor(ids: readonly number[] = IDS) {
    this.market = new ScriptedMarket(ids.map((id) => instrument(id, `CODE${id}`)));
    this.publisher = this.publish(this.bus, 1, this.market);
  }

  publish(bus: FakeBus, epoch: number, market: ScriptedMarket): MarketPublisher {
    const { clock } = this;
    answerDescription(bus, market);
    const publisher = new MarketPublisher({ market, bus, clock, epoch });
    publisher.start();
    return publisher;
  }

  /** The engine is killed and starts again, or another one takes over. */
  restart(market = this.market): void {
    this.publisher.stop();
    this.bus.connected = false;
    this.bus = this.broker.connect();
    this.publisher = this.publish(this.bus, ++this.lastEpoch, market);
  }

  async gateway() {
    const bus = this.broker.connect();
    const seen = new RecordingListener();
    const log = new RecordingLog();
    const opening = RemoteMarket.open({
      bus,
      clock: this.clock,
      log,
      name: 'Fulcrum',
      onGap: () => void opening.then((market) => this.gaps.push(present(market))),
      onOtherMarket: () => this.others++,
    });
    await this.settle();
    const market = await opening;
    market.listen(seen);
    const started = market.start();
    await this.settle();
    await started;
    return { market, seen, bus, log };
  }

  /** Lets everything arrive that is under way. */
  async settle(ms = 0): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await this.broker.advance(this.clock);
    if (ms > 0) await this.broker.advance(this.clock, ms);
    for (let turn = 0; turn < 5; turn++) await this.broker.advance(this.clock);
  }
}

/** What both markets say of the present. */
const present = (market: Pick<RemoteMarket, 'quote' | 'currentBar'>) =>
  IDS.map((id) => [market.quote(id), market.currentBar(id)]);

/** Of the feed that answers a reader who knows an epoch. */
async function epochOf(machines: Machines, bus: FakeBus, known: number | undefined) {
  const question = known === undefined ? new Uint8Array(4) : pageQuestion(0, known);
  const page = bus.ask(SUBJECTS.snapshot, question);
  await machines.settle();
  return decodePage(await page).epoch;
}

describe('the market of the engine in a gateway', () => {
  it('is that of the engine from the first moment, and tick by tick', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1], [2, 2.5]);
    const { market, seen } = await machines.gateway();
    expect(present(market)).toEqual(present(machines.market));
    expect(market.isLive).toBe(true);
    machines.market.pass(400);
    await machines.market.tick([1, 1.2, 3], [1, 1.3, 2], [3, 7]);
    machines.market.pass(60_000);
    machines.market.setOpen(2, false, toUnixMs(machines.market.time + 1000));
    await machines.settle();
    expect(present(market)).toEqual(present(machines.market));
    expect(seen.ticked.map(({ price }) => price)).toEqual([1.2, 1.3, 7]);
    expect(seen.closed.map(({ id, bar }) => [id, bar.close])).toEqual([
      [1, 1.3],
      [2, 2.5],
      [3, 7],
    ]);
    expect(seen.statusChanges.at(-1)).toEqual([2]);
    expect(machines.gaps).toEqual([]);
  });

  it('is that of the feed at work, though one that was replaced and does not know it answers first', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market, bus } = await machines.gateway();
    const next = new ScriptedMarket(machines.market.instruments);
    await next.tick([1, 2.2]);
    machines.publish(machines.broker.connect(), 2, next);
    await next.tick([1, 2.3]);
    await machines.settle(1_000);
    expect(market.isLive).toBe(true);
    expect(market.quote(1)?.price).toBe(2.3);
    expect(await epochOf(machines, bus, 2)).toBe(2);
    // As a former release asks.
    expect(await epochOf(machines, bus, undefined)).toBe(1);
  });

  it('closes a bar before the ticks that follow it, told in one turn', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    const told: string[] = [];
    market.listen({
      ticks: () => void told.push('ticks'),
      status() {},
      barClosed: () => void told.push('bar'),
    });
    machines.market.pass(60_000);
    await machines.market.tick([1, 1.2]);
    await machines.settle();
    expect(told).toEqual(['bar', 'ticks']);
  });

  it('tells of a status that it already shows', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    const shown: (boolean | undefined)[] = [];
    market.listen({
      ticks() {},
      status: () => void shown.push(market.quote(1)?.marketOpen),
      barClosed() {},
    });
    machines.market.setOpen(1, false);
    await machines.settle();
    expect(shown).toEqual([false]);
  });

  it('stays open while nothing is traded', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    await machines.settle(500);
    await machines.market.tick([1, 1.2]);
    await machines.settle(10_000);
    expect(market.quote(1)).toMatchObject({ price: 1.2, marketOpen: true });
  });

  it('has the decimals of the finest price that it was told', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1], [2, 2.5]);
    const { market } = await machines.gateway();
    const decimals = () => market.instruments.map(({ precision }) => precision);
    const [listed = 0] = decimals();
    await machines.market.tick([1, Number((1.1 + 10 ** -(listed + 3)).toFixed(listed + 3))]);
    await machines.settle();
    expect(decimals()).toEqual([listed + 3, listed, listed]);
  });

  it('has prices that become too old while nothing is said of them', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const quote = machines.market.quote(1);
    if (!quote) throw new Error('no quote');
    const freshUntil = toUnixMs(machines.market.now() + 3_000);
    vi.spyOn(machines.market, 'quote').mockReturnValue({ ...quote, freshUntil });
    const { market } = await machines.gateway();
    expect(market.quote(1)?.stale).toBeUndefined();
    // The heartbeats of the feed carry its time.
    machines.market.pass(3_001);
    await machines.settle(1_000);
    expect(market.quote(1)).toMatchObject({ price: 1.1, marketOpen: true, stale: true });
  });

  it('makes up for a lost batch by a snapshot, and says that something was missed', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market, seen } = await machines.gateway();
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2], [2, 5]);
    machines.broker.loses = () => false;
    await machines.settle();
    expect(market.quote(1)?.price).toBe(1.1);
    await machines.market.tick([3, 9]);
    await machines.settle();
    expect(present(market)).toEqual(present(machines.market));
    // Who asks from then on learns nothing of before.
    expect(machines.gaps).toEqual([present(machines.market)]);
    expect(seen.skips).toBeGreaterThan(0);
    expect(market.isLive).toBe(true);
  });

  it('hears an update once that comes twice, at once and late, and misses nothing', async () => {
    const machines = new Machines();
    const { market, seen } = await machines.gateway();
    machines.broker.arrives = () => ['in turn', 'in turn', 'late'];
    const prices = [1.1, 1.2, 1.3, 1.4];
    for (const price of prices) {
      await machines.market.tick([1, price]);
      machines.market.pass(100);
    }
    await machines.settle(1_000);
    expect(seen.ticked.map(({ price }) => price)).toEqual(prices);
    expect(present(market)).toEqual(present(machines.market));
    expect(machines.gaps).toEqual([]);
    expect(market.isLive).toBe(true);
  });

  it('never goes back where batches come in another order, and says that something was missed', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1]);
    const { market, seen } = await machines.gateway();
    const turns = ['late', 'in turn', 'late', 'late', 'in turn'] as const;
    for (const [index, turn] of turns.entries()) {
      machines.broker.arrives = (subject) => [subject === SUBJECTS.market ? turn : 'in turn'];
      await machines.market.tick([1, 1.1 + index / 10]);
      machines.market.pass(100);
    }
    machines.broker.arrives = () => ['in turn'];
    await machines.settle(2_000);
    const prices = seen.ticked.map(({ price }) => price);
    expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
    expect(machines.gaps.length).toBeGreaterThan(0);
    expect(seen.skips).toBeGreaterThan(0);
    expect(present(market)).toEqual(present(machines.market));
    expect(market.isLive).toBe(true);
  });

  it('finds out within a heartbeat that the last batch was lost', async () => {
    const machines = new Machines();
    const { market } = await machines.gateway();
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2]);
    machines.broker.loses = () => false;
    await machines.settle(1_100);
    expect(market.quote(1)?.price).toBe(1.2);
  });

  it('is closed while the engine is silent, and says since when', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market, seen } = await machines.gateway();
    const since = market.now();
    machines.bus.connected = false;
    await machines.settle(4_000);
    expect(market.quote(1)?.marketOpen).toBe(true);
    await machines.settle(3_000);
    expect(market.quote(1)).toMatchObject({
      price: 1.1,
      marketOpen: false,
      closedReason: { feed: 'Fulcrum', since },
    });
    expect(market.isLive).toBe(false);
    expect(seen.statusChanges.at(-1)).toEqual(IDS);
    machines.bus.reconnect();
    await machines.settle(2_000);
    expect(market.quote(1)).toMatchObject({ price: 1.1, marketOpen: true });
    expect(market.isLive).toBe(true);
  });

  it('is closed too where batches come but no snapshot does', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2]);
    machines.broker.loses = (subject) => subject === SUBJECTS.snapshot;
    for (let second = 0; second < 8; second++) {
      await machines.market.tick([1, 1.3 + second]);
      await machines.settle(1_000);
    }
    expect(market.quote(1)).toMatchObject({ price: 1.1, marketOpen: false });
    machines.broker.loses = () => false;
    await machines.settle(1_000);
    expect(present(market)).toEqual(present(machines.market));
  });

  it('shows no price as one of now that a link has held back', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    await machines.settle(2_000);
    const shown: [price: number, isOpen: boolean][] = [];
    market.listen({
      ticks() {
        const { price, marketOpen } = market.quote(1) ?? { price: 0, marketOpen: false };
        shown.push([price, marketOpen]);
      },
      status() {},
      barClosed() {},
    });
    for (const price of [1.2, 1.3, 1.4]) {
      await machines.market.tick([1, price]);
      await machines.clock.advance(2_500);
    }
    await machines.settle();
    // The last one is 2.5 seconds old, as after a silence of so long.
    expect(shown).toEqual([
      [1.2, false],
      [1.3, true],
      [1.4, true],
    ]);
    await machines.settle(1_000);
    expect(market.isLive).toBe(true);
  });

  it('follows the engine of the latest epoch only', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market, seen } = await machines.gateway();
    // Paused, not dead: it publishes again when the other one is at work.
    const paused = { bus: machines.bus };
    paused.bus.connected = false;
    machines.restart();
    await machines.settle(1_500);
    expect(machines.gaps).toHaveLength(1);
    const before = seen.ticked.length;
    paused.bus.connected = true;
    const tick = { instrumentId: 1, price: 66, volume: 1, time: machines.market.now() };
    const events = [{ kind: 'ticks' as const, ticks: [tick], states: [] }];
    const sentAt = machines.clock.elapsed();
    const late = { epoch: 1, sequence: 99, sentAt, now: machines.market.now(), events };
    paused.bus.publish(SUBJECTS.market, encodeMarketUpdate(late));
    await machines.settle(500);
    expect(market.quote(1)?.price).toBe(1.1);
    expect(seen.ticked).toHaveLength(before);
    expect(machines.gaps).toHaveLength(1);
  });

  it('applies what comes between two pages of a snapshot', async () => {
    const machines = new Machines(Array.from({ length: 5_000 }, (_, at) => at + 1));
    await machines.market.tick([1, 1.1], [5_000, 5.1]);
    const { market } = await machines.gateway();
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2]);
    let pages = 0;
    machines.broker.loses = (subject) => {
      if (subject === SUBJECTS.snapshot && ++pages === 2) void machines.market.tick([1, 1.3]);
      return false;
    };
    await machines.market.tick([2, 2.2]);
    await machines.settle();
    expect(pages).toBeGreaterThanOrEqual(2);
    expect(market.quote(1)?.price).toBe(1.3);
  });

  it('logs once why no snapshot comes, and again where the reason is another one', async () => {
    const machines = new Machines();
    const { market, bus, log } = await machines.gateway();
    const ask = bus.ask;
    for (const reason of ['no responders', 'timeout']) {
      bus.ask = async () => {
        throw new Error(reason);
      };
      // After a gap it asks four times a second.
      bus.reconnect();
      await machines.settle(5_000);
    }
    bus.ask = ask;
    await machines.settle(1_000);
    expect(market.isLive).toBe(true);
    expect(log.warnings.filter((text) => text.startsWith('no snapshot'))).toEqual([
      'no snapshot of the market: no responders',
      'no snapshot of the market: timeout',
    ]);
  });

  it('never has pages of two feeds', async () => {
    const machines = new Machines(Array.from({ length: 5_000 }, (_, at) => at + 1));
    await machines.market.tick([1, 1.1], [5_000, 5.1]);
    const { market } = await machines.gateway();
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2]);
    let isReplaced = false;
    machines.broker.loses = (subject) => {
      // The first page is on its way.
      if (subject === SUBJECTS.snapshot && !isReplaced) {
        isReplaced = true;
        machines.restart();
      }
      return false;
    };
    await machines.settle(3_000);
    expect(isReplaced).toBe(true);
    expect([1, 5_000].map((id) => market.quote(id)?.price)).toEqual([1.2, 5.1]);
    // It has taken those of the feed that goes on, and found no other gap at once.
    expect(machines.gaps).toHaveLength(1);
  });

  it('takes no snapshot that may be old', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market, bus } = await machines.gateway();
    let isSlow = true;
    const ask = bus.ask.bind(bus);
    bus.ask = async (subject, data) => {
      const answer = await ask(subject, data);
      if (isSlow)
        await new Promise<void>((come) => machines.clock.after(toDurationMs(1_500), come));
      return answer;
    };
    machines.broker.loses = (subject) => subject === SUBJECTS.market;
    await machines.market.tick([1, 1.2]);
    machines.broker.loses = () => false;
    await machines.settle(4_500);
    expect([market.isLive, market.quote(1)?.price]).toEqual([false, 1.1]);
    isSlow = false;
    await machines.settle(2_000);
    expect([market.isLive, market.quote(1)?.price]).toEqual([true, 1.2]);
  });

  inTurn(it)('has any number of instruments in messages that NATS takes', async () => {
    const ids = Array.from({ length: 50_000 }, (_, at) => at + 1);
    const machines = new Machines(ids);
    const { market: feed } = machines;
    // As large as a quote gets.
    const time = feed.now();
    const most = { open: 1, time, nextOpen: time, bid: 1, ask: 1, marketOpen: true };
    const closedReason = { feed: 'Exchange of a long name', since: time };
    const freshUntil = toUnixMs(time + 3_600_000);
    vi.spyOn(feed, 'quote').mockImplementation((price) => ({
      ...{ ...most, price, closedReason, freshUntil },
    }));
    const { market, seen } = await machines.gateway();
    for (let round = 0; round < 2; round++) {
      await feed.tick(...ids.map((id): [number, number] => [id, id + round]));
      feed.pass(60_000);
      await machines.settle();
    }
    expect(seen.ticked).toHaveLength(100_000);
    expect(seen.closed).toHaveLength(100_000);
    expect(machines.gaps).toEqual([]);
    for (const id of [1, 4_000, 4_001, 50_000]) expect(market.quote(id)).toEqual(feed.quote(id));
  });

  it('of another market is not shown', async () => {
    const machines = new Machines();
    await machines.market.tick([1, 1.1]);
    const { market } = await machines.gateway();
    const other = new ScriptedMarket([instrument(1, 'OTHER')]);
    machines.restart(other);
    await other.tick([1, 99]);
    await machines.settle(1_500);
    expect(machines.others).toBeGreaterThan(0);
    expect(market.quote(1)?.price).toBe(1.1);
  });
});

/** What may happen between two moments. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('tick' as const),
      id: fc.constantFrom(...IDS),
      price: fc.integer({ min: 1, max: 999 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('pass' as const),
      ms: fc.constantFrom(50, 900, 61_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('lose' as const),
      share: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('mix' as const),
      turns: fc.array(fc.subarray(['in turn', 'in turn', 'late'] as const, { minLength: 1 }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'restart' as const,
        'cut' as const,
        'reconnect' as const,
        'toggle' as const,
      ),
    }),
  },
);

it('whatever is lost, late, doubled, restarted or cut: a gateway shows the engine’s market or a closed one, and ends at the present', async () => {
  let gaps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const machines = new Machines();
      for (const id of IDS) await machines.market.tick([id, id]);
      const gateways = [await machines.gateway(), await machines.gateway()];
      let open = true;
      for (const each of steps) {
        if (each.what === 'tick') await machines.market.tick([each.id, each.price]);
        else if (each.what === 'pass') {
          machines.market.pass(each.ms);
          await machines.settle(Math.min(each.ms, 2_000));
        } else if (each.what === 'lose') {
          let count = 0;
          machines.broker.loses = () => each.share > 0 && count++ % (4 - each.share) === 0;
        } else if (each.what === 'mix') {
          let count = 0;
          machines.broker.arrives = () => each.turns[count++ % each.turns.length] ?? ['in turn'];
        } else if (each.what === 'restart') machines.restart();
        else if (each.what === 'cut')
          for (const { bus } of gateways.slice(0, 1)) bus.connected = false;
        else if (each.what === 'reconnect') for (const { bus } of gateways) bus.reconnect();
        else {
          open = !open;
          machines.market.setOpen(2, open);
        }
        await machines.settle();
        for (const { market, seen } of gateways) {
          // Of each instrument no tick comes twice, and none goes back.
          for (const id of IDS) {
            const times = seen.ticked
              .filter((tick) => tick.instrumentId === id)
              .map(({ time }) => time);
            expect(times).toEqual([...times].sort((a, b) => a - b));
          }
          if (market.isLive) expect(market.instruments).toHaveLength(IDS.length);
        }
      }
      machines.broker.loses = () => false;
      machines.broker.arrives = () => ['in turn'];
      for (const { bus } of gateways) bus.reconnect();
      await machines.settle(3_000);
      for (const { market, seen } of gateways) {
        expect(market.isLive).toBe(true);
        expect(present(market)).toEqual(present(machines.market));
        // Bars that were told are those of the engine, each once.
        const names = seen.closed.map(({ id, bar }) => `${id} ${bar.time}`);
        expect(new Set(names).size).toBe(names.length);
        for (const { id, bar } of seen.closed) {
          const all = await machines.market.bars(id, '1min', 500);
          expect(all).toContainEqual(bar);
        }
      }
      gaps += machines.gaps.length;
    }),
    { numRuns: samples(40, 3_000), seed },
  );
  expect(gaps).toBeGreaterThan(0);
});
