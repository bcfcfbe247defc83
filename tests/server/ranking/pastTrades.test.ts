import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { toFeeRate } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { FeeType } from '#domain/trading/margin';
import type { Market } from '../../../server/market/market';
import { SimulatedMarket } from '../../../server/market/simulated/simulatedMarket';
import { pastTrades } from '../../../server/ranking/pastTrades';
import type { Strategy } from '../../../server/ranking/strategies';
import { TRADER_PROFILES } from '../../../server/ranking/traderProfiles';
import { FakeClock } from '../support/fakeClock';

const OPENED = toUnixMs(Date.UTC(2026, 10, 24, 10, 7));
const THREE_WEEKS = 21 * 86_400_000;
const HALF_HOUR = 1800;

async function simulated(): Promise<SimulatedMarket> {
  const market = new SimulatedMarket(
    { seed: '1', instruments: 40, ticksPerSecond: 20, feeType: 'per-lot' },
    new FakeClock(OPENED),
    { info() {}, warn() {}, error: (text: string) => expect.fail(text) },
  );
  await market.start();
  return market;
}

/** A trade at a price needs a range of bars before; these have one of 0.001. */
function barsOf(closes: readonly number[], last: Partial<Bar> = {}): Bar[] {
  const end = Math.floor(OPENED / 1000 / HALF_HOUR) * HALF_HOUR;
  return closes.map((close, index) => ({
    time: toUnixSeconds(end - (closes.length - index) * HALF_HOUR),
    open: close,
    high: close + 0.0005,
    low: close - 0.0005,
    close,
    volume: 1,
    ...(index === closes.length - 1 && last),
  }));
}

/** A market that has these bars only. */
function scripted(bars: readonly Bar[]): Pick<Market, 'bars'> {
  return {
    bars: async (_id, _period, limit, before = toUnixSeconds(Number.POSITIVE_INFINITY)) =>
      bars.filter(({ time }) => time < before).slice(-limit),
  };
}

describe('the past of a trader', () => {
  it('is the same at every start, and lies in the three weeks before the account', async () => {
    const run = async () => {
      const market = await simulated();
      const profile = TRADER_PROFILES.find(({ key }) => key === 'glacier');
      const instrument = market.instruments.find(({ code }) => code === profile?.code);
      if (!profile || !instrument) return expect.fail('no such strategy');
      const trades = await pastTrades(
        market,
        { ...profile, instrument, opened: OPENED },
        'per-lot',
      );
      await market.stop();
      return trades;
    };
    const trades = await run();
    expect(trades.length).toBeGreaterThan(10);
    for (const { endedAt } of trades) {
      expect(endedAt).toBeGreaterThan(OPENED - THREE_WEEKS - HALF_HOUR * 1000);
      expect(endedAt).toBeLessThanOrEqual(OPENED);
    }
    expect(await run()).toEqual(trades);
  });

  describe('with bars at hand', () => {
    const buyAtTheThird: Strategy = (bars) => (bars.length === 3 ? 'buy' : undefined);
    const sellAtTheThird: Strategy = (bars) => (bars.length === 3 ? 'sell' : undefined);
    const netsOf = async (
      bars: Bar[],
      strategy: Strategy,
      feeType: FeeType = 'per-lot',
      feeRate = '0',
    ) => {
      const market = await simulated();
      const listed = market.instruments.find(({ code }) => code === 'EURUSD') as Instrument;
      await market.stop();
      // 3 % of 100,000 USD at 50× and 1.1: 1.36 lots. Stops at 6 and 9 ranges of 0.001.
      const instrument = { ...listed, feeRate: toFeeRate(feeRate) };
      const trader = { instrument, period: '30min', strategy, opened: OPENED } as const;
      const trades = await pastTrades(scripted(bars), trader, feeType);
      return trades.map(({ net }) => toText(net));
    };
    const flat = [1.1, 1.1, 1.1, 1.1];

    it.each([
      ['its take-profit', buyAtTheThird, { high: 1.12 }, '1224'],
      ['its stop-loss', buyAtTheThird, { low: 1.08 }, '-816'],
      [
        'the stop-loss first where it reaches both',
        buyAtTheThird,
        { high: 1.12, low: 1.08 },
        '-816',
      ],
      ['the open beyond a stop', buyAtTheThird, { open: 1.09, low: 1.08 }, '-1360'],
      ['the take-profit of a sell', sellAtTheThird, { low: 1.08 }, '1224'],
      ['the stop-loss of a sell', sellAtTheThird, { high: 1.12 }, '-816'],
    ] as const)('ends at %s', async (_name, strategy, last, net) => {
      expect(await netsOf(barsOf(flat, last), strategy)).toEqual([net]);
    });

    it.each([
      // 1,224 - 1.36 × 6.25
      ['per-lot', '6.25', '1215.5'],
      // 1,224 - 0.333 % of 1.36 × 100,000 × 1.1 / 50
      ['rate', '0.00333', '1214.04'],
    ] as const)('pays the fee as the server charges it: %s', async (feeType, rate, net) => {
      expect(await netsOf(barsOf(flat, { high: 1.12 }), buyAtTheThird, feeType, rate)).toEqual([
        net,
      ]);
    });

    it('ends at the close where the strategy turns, and not before', async () => {
      const turn: Strategy = (bars) => (({ 3: 'buy', 4: 'flat' }) as const)[bars.length as 3 | 4];
      expect(await netsOf(barsOf([1.1, 1.1, 1.1, 1.101]), turn)).toEqual(['136']);
    });
  });
});
