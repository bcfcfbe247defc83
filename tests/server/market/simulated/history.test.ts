import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { type Bar, foldBars, PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/kline';
import {
  type BarNode,
  LEVEL_OF,
  LEVELS,
  MINUTE,
} from '../../../../server/market/simulated/barNode';
import { nodeAt, nodesBefore, toBar } from '../../../../server/market/simulated/history';
import { isOpen } from '../../../../server/market/simulated/sessions';
import type { SimulatedInstrument } from '../../../../server/market/simulated/simulatedInstrument';
import { split, ticksOf } from '../../../../server/market/simulated/split';
import { FRIDAY, instrumentOf, testInstruments } from './testInstruments';

const CODES = ['EURUSD', 'USDJPY', 'XAUUSD', 'BTCUSD', 'DOGEUSD', 'US500', 'JP225', 'NGAS', 'VALB'];

/**
 * Any instrument of any seed, from rarely traded to thousands of ticks a second, at any time since
 * 2010.
 */
const anywhere = fc
  .record({
    seed: fc.string({ maxLength: 8 }),
    code: fc.constantFrom(...CODES),
    rate: fc.constantFrom(0.002, 0.05, 1, 20, 3000),
    time: fc.integer({ min: Date.UTC(2010) / 1000, max: Date.UTC(2040) / 1000 }),
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
  it('of each period are exactly the fold of the next shorter one', () => {
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

  it('of a minute are exactly the fold of its ticks, which come in order and trade at least 1 each', () => {
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
  });

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
      const moved = subject.listing.volatility * close;
      const steps = minutes
        .slice(1)
        .map(({ open }, i) => Math.abs(open - (minutes[i]?.close as number)) / moved);
      expect(Math.max(...steps)).toBeLessThan(1 / 4);
    }
  });

  it('exist, 500 of every period, for every instrument', () => {
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
        minutes.filter(({ time }) => !isOpen(subject.listing.session, toUnixMs(time * 1000))),
      ).toEqual([]);
    }
  });

  it('stay plausible over decades', () => {
    for (const subject of testInstruments('5').values()) {
      const { base, precision, volatility } = subject.listing;
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
