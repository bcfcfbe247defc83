import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import { toUnixSeconds } from '#domain/core/time';
import {
  type Bar,
  barFromTick,
  barStart,
  CHART_PERIODS,
  type ChartPeriod,
  foldBars,
  foldTick,
} from '#domain/market/kline';
import { largeCount, samples, seed } from '../../helpers/samples';
import { PageChart } from '../support/pageChart';
import { held } from '../support/scriptedHttp';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';

/** Half an hour before midnight, a Monday and a month, so that bars of every period end. */
const BEGIN = Date.UTC(2026, 5, 0, 23, 30) / 1000;

/** The true market of one instrument: its one-minute bars, and the messages about them that are in flight. */
class TrueMarket {
  now = BEGIN;
  readonly minutes: Bar[] = [];
  /** Messages of the present subscription that are not delivered yet. */
  outbox: Bar[] = [];
  /** Whether there is a subscription. */
  subscribed = () => false;
  /** Every state that any bar had. */
  readonly states: Bar[] = [];

  tick(seconds: number, price: number, volume: number, placeholders: boolean): void {
    this.now += seconds;
    const time = barStart('1min', toUnixSeconds(this.now));
    let last = this.minutes.at(-1);
    if (last && last.time < time) this.#emit(last);
    if (placeholders && last) {
      for (let empty = last.time + 60; empty < time; empty += 60) {
        this.minutes.push(barFromTick(toUnixSeconds(empty), last.close, 0));
        this.#emit(this.minutes.at(-1) as Bar);
      }
      last = this.minutes.at(-1);
    }
    if (last?.time === time) foldTick(last, price, volume);
    else this.minutes.push(barFromTick(time, price, volume));
    this.#emit(this.minutes.at(-1) as Bar);
  }

  #emit(bar: Bar): void {
    if (this.subscribed()) this.outbox.push({ ...bar });
    this.states.push({ ...bar });
  }

  bars(period: ChartPeriod): Bar[] {
    return period === '1min' ? this.minutes : foldBars(this.minutes, period);
  }

  page(period: ChartPeriod, before: number | undefined, size: number): KlineRow[] {
    return this.bars(period)
      .filter(({ time }) => before === undefined || time < before)
      .slice(-size)
      .map(toRow);
  }
}

function toRow({ time, open, high, low, close, volume }: Bar): KlineRow {
  const [Open, High, Low, Close, Volume] = [open, high, low, close, volume].map(String) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { Time: time, Open, High, Low, Close, Volume };
}

type Step =
  | { do: 'tick'; seconds: number; price: number; weight: number }
  | { do: 'deliver'; conflate: boolean }
  | { do: 'repeat'; which: number }
  | { do: 'answer' }
  | { do: 'wait'; ms: number }
  /** Drops the connection for so many minutes. */
  | { do: 'lose'; minutes: number }
  | { do: 'older' }
  | { do: 'period'; period: ChartPeriod };

const tick = fc.record({
  do: fc.constant('tick' as const),
  seconds: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
  price: fc.integer({ min: 1, max: 50 }),
  weight: fc.integer({ min: 1, max: 5 }),
});

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: tick },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('deliver' as const), conflate: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.integer({ min: 0, max: 9000 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('lose' as const),
        minutes: fc.integer({ min: 0, max: 40 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('older' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('period' as const),
        period: fc.constantFrom(...CHART_PERIODS),
      }),
    },
  ),
  { minLength: 20, maxLength: 80 },
);

interface Scenario {
  period: ChartPeriod;
  script: Step[];
  /** Number of bars on a page. */
  size: number;
  /** Whether an answer is computed when the request arrives, or when it is delivered. */
  early: boolean;
  placeholders: boolean;
  /** Volume of each tick; 0: a server without volumes. */
  volume: 0 | 1;
}

class Run {
  readonly scenario: Scenario;
  readonly worker: TestWorker;
  readonly market = new TrueMarket();
  readonly #replies = held();
  period: ChartPeriod;
  chart = new PageChart();
  #seen = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.period = scenario.period;
    for (let i = 0; i < 200; i++)
      this.market.tick(25, 1 + ((i * 7) % 40), scenario.volume, scenario.placeholders);
    this.worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
    this.worker.server.on('/v1/api/forex/kline', async ({ params }) => {
      const page = () =>
        this.market.page(
          params['period'] as ChartPeriod,
          params['before'] === undefined ? undefined : Number(params['before']),
          scenario.size,
        );
      const early = page();
      await this.#replies.route({
        method: '',
        path: '',
        params: {},
        headers: {},
        body: '',
        timeout: undefined,
      });
      return { data: scenario.early ? early : page() };
    });
  }

  async begin(): Promise<void> {
    const { sockets } = this.worker;
    this.market.subscribed = () =>
      sockets.last.onmessage !== null && sockets.last.asked.some(({ type }) => type === 'sub');
    this.worker.start();
    await this.worker.clock.advance(100);
    this.worker.workerApi.watch({ candles: { add: [this.key], remove: [] } });
    await this.look();
  }

  get key() {
    return { instrumentId: 1, period: this.period };
  }

  async look(): Promise<void> {
    await this.worker.clock.advance(60);
    for (const candles of this.worker.shown.candles.slice(this.#seen)) {
      if (candles.period === this.period) this.chart.apply(candles);
      this.#check();
    }
    this.#seen = this.worker.shown.candles.length;
  }

  /** Fails on what a user must never see: a gap, an overlap, or a closed bar other than its final state. */
  #check(): void {
    const truth = this.market.bars(this.period);
    const { bars } = this.chart;
    if (bars.length === 0) return;
    const from = truth.findIndex(({ time }) => time === bars[0]?.time);
    const closed = bars.slice(0, -1);
    expect(closed).toEqual(truth.slice(from, from + closed.length));
    expect(bars.at(-1)?.time).toBe(truth[from + closed.length]?.time);
  }

  #send(bars: readonly Bar[]): void {
    if (!this.market.subscribed()) return;
    for (const bar of bars)
      this.worker.sockets.last.receive({ type: 'KLINE.EURUSD', data: toRow(bar) });
  }

  async step(step: Step): Promise<void> {
    const { market, worker } = this;
    const { volume, placeholders } = this.scenario;
    switch (step.do) {
      case 'tick':
        market.tick(step.seconds, step.price, volume * step.weight, placeholders);
        break;
      case 'deliver': {
        const messages = market.outbox;
        market.outbox = [];
        // The last message of each bar is never dropped.
        this.#send(
          step.conflate
            ? messages.filter(({ time }, i) => messages[i + 1]?.time !== time)
            : messages,
        );
        break;
      }
      case 'repeat': {
        const undelivered = new Set(market.outbox.map(({ time }) => time));
        const old = market.states.filter(({ time }) => !undelivered.has(time));
        const bar = old[step.which % Math.max(1, old.length)];
        if (bar) this.#send([bar]);
        break;
      }
      case 'answer':
        this.#replies.release({ data: [] });
        break;
      case 'wait':
        await worker.clock.advance(step.ms);
        break;
      case 'lose':
        market.outbox = [];
        worker.sockets.last.drop();
        for (let i = 0; i < step.minutes; i++) market.tick(60, 10 + (i % 9), volume, placeholders);
        break;
      case 'older':
        void worker.workerApi.loadOlder(this.key);
        break;
      case 'period': {
        const before = this.key;
        this.period = step.period;
        this.chart = new PageChart();
        worker.workerApi.watch({ candles: { add: [this.key], remove: [before] } });
        this.#seen = worker.shown.candles.length;
      }
    }
    await this.look();
  }

  /** Delivers everything that is in flight. */
  async finish(): Promise<void> {
    await this.worker.clock.advance(3000);
    for (let i = 0; i < 20; i++) await this.step({ do: 'answer' });
    await this.step({ do: 'deliver', conflate: false });
    await this.step({ do: 'tick', seconds: 1, price: 7, weight: 1 });
    await this.step({ do: 'deliver', conflate: false });
    const truth = this.market.bars(this.period);
    expect(this.chart.bars.length).toBeGreaterThan(0);
    expect(this.chart.bars).toEqual(truth.slice(-this.chart.bars.length));
  }
}

const scenario = {
  period: fc.constantFrom(...CHART_PERIODS),
  size: fc.constantFrom(15, 500),
  early: fc.boolean(),
};

async function play(given: Scenario): Promise<void> {
  const run = new Run(given);
  await run.begin();
  for (const step of given.script) await run.step(step);
  await run.finish();
}

const RUNS = samples(60, 10_000);
const TIMEOUT = 3_600_000;

describe('bars', () => {
  it(
    'are the true fold with any order of history, live messages and losses',
    {
      timeout: TIMEOUT,
    },
    () =>
      largeCount('bars joined from history and live messages, with volumes', RUNS, async () => {
        const volume = fc.constant(1 as const);
        const scenarios = fc.record({
          ...scenario,
          script: steps,
          volume,
          placeholders: fc.boolean(),
        });
        await fc.assert(fc.asyncProperty(scenarios, play), { numRuns: RUNS, seed });
        return 'always the true fold';
      }),
  );

  it('are the true fold without volumes as well', { timeout: TIMEOUT }, () =>
    largeCount('bars joined from history and live messages, without volumes', RUNS, async () => {
      const scenarios = fc.record({
        ...scenario,
        // Without volumes, an old state of a bar can't be distinguished from a new one.
        script: steps.map((script) => script.filter((step) => step.do !== 'repeat')),
        volume: fc.constant(0 as const),
        placeholders: fc.constant(false),
      });
      await fc.assert(fc.asyncProperty(scenarios, play), { numRuns: RUNS, seed });
      return 'always the true fold';
    }),
  );
});
