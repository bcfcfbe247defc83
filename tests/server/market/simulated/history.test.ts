import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { type Bar, foldBars } from '#domain/market/kline';
import { PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/period';
import {
  type BarNode,
  LEVEL_OF,
  LEVELS,
  MINUTE,
} from '../../../../server/market/simulated/barNode';
import { nodeAt, nodesBefore, toBar } from '../../../../server/market/simulated/history';
import { KeyedDraws } from '../../../../server/market/simulated/random';
import { isOpen } from '../../../../server/market/simulated/sessions';
import type { SimulatedInstrument } from '../../../../server/market/simulated/simulatedInstrument';
import { split, ticksOf } from '../../../../server/market/simulated/split';
import { inTurn } from '../../../helpers/samples';
import { FRIDAY, instrumentOf, testInstruments } from './testInstruments';

/** The first day of every instrument. */
const BEGINNING = Date.UTC(2000) / 1000;
const CODES = ['EURUSD', 'USDJPY', 'XAUUSD', 'BTCUSD', 'DOGEUSD', 'US500', 'JP225', 'NGAS', 'VALB'];

/**
 * Any instrument of any seed, from rarely traded to thousands of ticks a second, at any time of its
 * history and after.
 */
const anywhere = fc
  .record({
    seed: fc.string({ maxLength: 8 }),
    code: fc.constantFrom(...CODES),
    rate: fc.constantFrom(0.002, 0.05, 1, 20, 3000),
    time: fc.integer({ min: BEGINNING + 7 * 86_400, max: Date.UTC(2040) / 1000 }),
  })
  .map(({ seed, code, rate, time }) => ({
    subject: instrumentOf(testInstruments(seed, rate), code),
    time,
  }));

function bars(subject: SimulatedInstrument, period: Period, from: number, to: number): Bar[] {
  const most = (to - from) / PERIOD_SECONDS[period];
  return nodesBefore(subject, LEVEL_OF[period], toUnixSeconds(to), most)
    .filter(({ time }) => time >= from)
    .reverse()
    .map((node) => toBar(subject, node));
}

function ticksIn(subject: SimulatedInstrument, minute: BarNode) {
  const ticks = ticksOf(subject, minute);
  return Array.from({ length: ticks.count }, (_, i) => ({
    offset: ticks.offset(i),
    price: ticks.price(i),
    volume: ticks.volume(i),
  }));
}

function foldTicks(subject: SimulatedInstrument, minute: BarNode) {
  const ticks = ticksIn(subject, minute);
  const prices = ticks.map(({ price }) => price);
  return {
    open: prices[0],
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1),
    ticks: ticks.length,
    volume: ticks.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** All bars of several days, at every level. */
function days(subject: SimulatedInstrument, time: number, count: number): BarNode[] {
  return nodesBefore(subject, 0, toUnixSeconds(time), count);
}

describe('the bars of the simulated market', () => {
  inTurn(it)('of each period are exactly the fold of the next shorter one', () => {
    fc.assert(
      fc.property(anywhere, ({ subject, time }) => {
        for (const day of days(subject, time, 2)) {
          let level = [day];
          for (const period of [...PERIODS].reverse()) {
            const children = level.flatMap((node) =>
              node.level < MINUTE ? split(subject, node) : [],
            );
            if (children.length === 0) break;
            expect(
              foldBars(
                children.map((node) => toBar(subject, node)),
                period,
              ),
            ).toEqual(level.map((node) => toBar(subject, node)));
            level = children;
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  inTurn(it)(
    'of a minute are exactly the fold of its ticks, which come in order and trade at least 1 each',
    () => {
      fc.assert(
        fc.property(anywhere, ({ subject, time }) => {
          for (const minute of nodesBefore(subject, MINUTE, toUnixSeconds(time), 5)) {
            const { open, high, low, close, ticks, volume } = minute;
            expect(foldTicks(subject, minute)).toEqual({ open, high, low, close, ticks, volume });
            const made = ticksIn(subject, minute);
            const wrong = made.filter(
              ({ offset, volume }, i) =>
                offset < (made[i - 1]?.offset ?? 0) || offset >= 60_000 || !(volume >= 1),
            );
            expect(wrong).toEqual([]);
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  it('depend on seed, code and time alone, not on earlier requests', () => {
    const fresh = instrumentOf(testInstruments('7'), 'EURUSD');
    const asked = instrumentOf(testInstruments('7'), 'EURUSD');
    for (const other of testInstruments('7').values())
      nodesBefore(other, MINUTE, toUnixSeconds(FRIDAY / 1000), 5);
    nodesBefore(asked, 3, toUnixSeconds(FRIDAY / 1000 - 1e7), 300);
    const time = FRIDAY / 1000 + 40_000;
    expect(nodesBefore(asked, MINUTE, toUnixSeconds(time), 50)).toEqual(
      nodesBefore(fresh, MINUTE, toUnixSeconds(time), 50),
    );
    expect(nodeAt(asked, 2, toUnixSeconds(time))).toEqual(nodeAt(fresh, 2, toUnixSeconds(time)));
    const otherSeed = instrumentOf(testInstruments('8'), 'EURUSD');
    expect(nodeAt(otherSeed, 0, toUnixSeconds(time))).not.toEqual(
      nodeAt(fresh, 0, toUnixSeconds(time)),
    );
  });

  it('do not depend on how many instruments there are, beyond the ticks they share', () => {
    const day = (count: number) => {
      const { open, high, low, close } = nodeAt(
        instrumentOf(testInstruments('1', 20, count), 'BTCUSD'),
        0,
        toUnixSeconds(FRIDAY / 1000),
      ) as BarNode;
      return { open, high, low, close };
    };
    expect(day(2000)).toEqual(day(40));
  });

  it('open near the close of the bar before', () => {
    for (const code of ['EURUSD', 'BTCUSD', 'XAUUSD']) {
      const subject = instrumentOf(testInstruments('3'), code);
      const minutes = bars(subject, '1min', FRIDAY / 1000 - 3 * 86_400, FRIDAY / 1000);
      const close = minutes[0]?.close as number;
      const moved = subject.terms.volatility * close;
      const steps = minutes
        .slice(1)
        .map(({ open }, i) => Math.abs(open - (minutes[i]?.close as number)) / moved);
      expect(Math.max(...steps)).toBeLessThan(1 / 4);
    }
  });

  inTurn(it)('exist, 500 of every period, for every instrument', () => {
    for (const subject of testInstruments('1').values()) {
      for (const period of PERIODS) {
        const found = nodesBefore(
          subject,
          LEVEL_OF[period],
          toUnixSeconds(FRIDAY / 1000 + 50_000),
          500,
        );
        expect(found).toHaveLength(500);
      }
    }
  });

  it('exist only while the market is open', () => {
    for (const [code, weekly] of [
      ['BTCUSD', 10_080],
      ['EURUSD', 7200],
      ['US500', 1950],
      ['UK100', 2550],
      ['JP225', 2100],
    ] as const) {
      const subject = instrumentOf(testInstruments('1', 100), code);
      const minutes = bars(subject, '1min', FRIDAY / 1000 - 604_800, FRIDAY / 1000);
      expect(minutes.length).toBe(weekly);
      expect(
        minutes.filter(({ time }) => !isOpen(subject.terms.session, toUnixMs(time * 1000))),
      ).toEqual([]);
    }
  });

  it('stay plausible over decades', () => {
    for (const subject of testInstruments('5').values()) {
      const { base, precision, volatility } = subject.terms;
      for (let year = 2005; year < 2045; year++) {
        const [node] = nodesBefore(subject, 0, toUnixSeconds(Date.UTC(year) / 1000), 1);
        const price = (node?.close ?? 0) / 10 ** precision;
        expect(Math.abs(Math.log(price / base))).toBeLessThan(50 * volatility);
      }
    }
  });

  it('are sparse but correct with hardly any ticks', () => {
    const subject = instrumentOf(testInstruments('1', 0.01), 'EURUSD');
    const minutes = nodesBefore(subject, MINUTE, toUnixSeconds(FRIDAY / 1000), 50);
    const spanned = ((minutes[0]?.time ?? 0) - (minutes.at(-1)?.time ?? 0)) / LEVELS[MINUTE];
    expect(spanned).toBeGreaterThan(500);
  });
});

/** As a chart asks for them: page by page, each before the oldest bar of the last one. */
function pagesBack(subject: SimulatedInstrument, period: Period, from: number, to: number): Bar[] {
  const found: Bar[] = [];
  for (let before = to; before > from; before = found.at(-1)?.time ?? from) {
    const page = nodesBefore(subject, LEVEL_OF[period], toUnixSeconds(before), 500);
    if (page.length === 0) break;
    found.push(...page.map((node) => toBar(subject, node)));
  }
  return found.filter(({ time }) => time >= from).reverse();
}

describe('the history of the simulated market', () => {
  afterEach(() => vi.restoreAllMocks());

  inTurn(it)(
    'has 60 days of minutes, the folds of which are the bars of every longer period',
    () => {
      const to = FRIDAY / 1000;
      const from = to - 60 * 86_400;
      for (const [code, weekly] of [
        ['BTCUSD', 10_080],
        ['US500', 1950],
      ] as const) {
        const subject = instrumentOf(testInstruments('1', 100), code);
        const minutes = pagesBack(subject, '1min', from, to);
        expect(Math.abs(minutes.length - (weekly * 60) / 7)).toBeLessThan(weekly / 2);
        expect(minutes).toEqual(bars(subject, '1min', from, to));
        for (const period of PERIODS) {
          expect(pagesBack(subject, period, from, to)).toEqual(foldBars(minutes, period));
        }
      }
    },
  );

  inTurn(it)('begins on 1 January 2000, on the first day of trading, in every period', () => {
    for (const [code, first] of [
      ['BTCUSD', Date.UTC(2000, 0, 1)],
      ['EURUSD', Date.UTC(2000, 0, 2)],
      ['US500', Date.UTC(2000, 0, 3)],
    ] as const) {
      const subject = instrumentOf(testInstruments('1', 100), code);
      const days = pagesBack(subject, '1day', 0, FRIDAY / 1000);
      expect(days[0]?.time).toBe(first / 1000);
      const weekly = code === 'BTCUSD' ? 7 : code === 'EURUSD' ? 6 : 5;
      expect(Math.abs(days.length - (weekly * (FRIDAY / 1000 - BEGINNING)) / 604_800)).toBeLessThan(
        2,
      );
      for (const period of PERIODS) {
        const oldest = pagesBack(subject, period, 0, BEGINNING + 7 * 86_400);
        expect(foldBars(oldest, '1day')).toEqual(days.slice(0, foldBars(oldest, '1day').length));
        expect(oldest[0]?.time).toBeGreaterThanOrEqual(first / 1000);
        expect(oldest[0]?.time).toBeLessThan(first / 1000 + 86_400);
      }
    }
  });

  inTurn(it)('costs as much where it is oldest as where it is newest', () => {
    const begun = vi.spyOn(KeyedDraws.prototype, 'begin');
    const drawsOf = (code: string, period: Period, before: number) => {
      const subject = instrumentOf(testInstruments('1'), code);
      begun.mockClear();
      nodesBefore(subject, LEVEL_OF[period], toUnixSeconds(before), 500);
      return begun.mock.calls.length;
    };
    for (const code of ['BTCUSD', 'EURUSD', 'JP225']) {
      for (const period of PERIODS) {
        const newest = drawsOf(code, period, FRIDAY / 1000);
        // Two years of days are a page.
        const oldest = drawsOf(code, period, BEGINNING + 3 * 365 * 86_400);
        expect(newest).toBeGreaterThan(0);
        expect(oldest / newest).toBeLessThan(1.5);
      }
    }
  });

  it('of a seed never changes: orders have traded at these prices', () => {
    const all = testInstruments('1');
    const hash = createHash('sha256');
    for (const code of CODES) {
      for (const period of PERIODS) {
        for (const before of [
          FRIDAY / 1000 + 50_000,
          Date.UTC(2021, 5, 9) / 1000,
          Date.UTC(2003) / 1000,
        ]) {
          const nodes = nodesBefore(
            instrumentOf(all, code),
            LEVEL_OF[period],
            toUnixSeconds(before),
            20,
          );
          hash.update(
            JSON.stringify(
              nodes.map(({ open, high, low, close, volume, time }) => [
                time,
                open,
                high,
                low,
                close,
                volume,
              ]),
            ),
          );
        }
      }
    }
    expect(hash.digest('hex')).toBe(
      '14ffb927b167713c79748ef8728d755774a405c02974429dc959e4dabb4f07c3',
    );
  });
});
