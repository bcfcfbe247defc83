import { secondOf, toUnixMs, type UnixMs, type UnixSeconds } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { type ChangeWindow, windowStart } from '#domain/trading/condition';
import type { Clock } from '../../../../server/core/clock';
import type { Log } from '../../../../server/core/log';
import type { MarketQuote, Tick } from '../../../../server/market/market';
import { SimulatedMarket } from '../../../../server/market/simulated/simulatedMarket';
import { RecordingListener, RecordingLog } from '../../market/recordingListener';
import { FakeClock } from '../../support/fakeClock';
import type { ClusterParts } from './clusterParts';

/** The first moment of all simulations: the last minute of a Monday, so that positions are held over a night. */
export const MONDAY = Date.UTC(2026, 0, 5, 23, 59);
/** Longer than a simulation, after its beginning within a minute. */
const LENGTH_MS = 200_000;
const OPTIONS = { seed: '7', instruments: 3, ticksPerSecond: 5, feeType: 'per-lot' } as const;

/** The market of a feed. Bid and ask of its quotes are the epoch of the feed, so that it is seen whose they are. */
export function feedMarket(
  { SimulatedMarket }: ClusterParts,
  clock: Clock,
  log: Log,
  tradedUntil: UnixMs,
  epoch: () => number,
  hasBook: boolean,
): SimulatedMarket {
  class FeedMarket extends SimulatedMarket {
    override quote(instrumentId: number): MarketQuote | undefined {
      const quote = super.quote(instrumentId);
      return quote && { ...quote, bid: epoch(), ask: epoch() };
    }
  }
  return new FeedMarket({ ...OPTIONS, hasBook }, clock, log, tradedUntil);
}

/** More than an indicator needs. */
const MINUTES = 2_000;

/** What was before the first tick, and the bars of all minutes. */
interface Past {
  minutes: readonly Bar[];
  opens: Readonly<Record<ChangeWindow, number>>;
}

/** What an undisturbed market does meanwhile, tick by tick. */
export class Truth {
  readonly ids: readonly number[];
  private readonly ticks: ReadonlyMap<number, readonly Tick[]>;
  private readonly bars: ReadonlyMap<number, ReadonlyMap<UnixSeconds, Bar>>;

  private readonly pasts: ReadonlyMap<number, Past>;

  private constructor(pasts: ReadonlyMap<number, Past>, ticked: readonly Tick[]) {
    const ids = [...pasts.keys()];
    this.ids = ids;
    this.pasts = pasts;
    this.ticks = new Map(
      ids.map((id) => [id, ticked.filter(({ instrumentId }) => instrumentId === id)]),
    );
    this.bars = new Map(ids.map((id) => [id, barsOf(this.ticksOf(id))]));
  }

  static async record(): Promise<Truth> {
    const clock = new FakeClock(toUnixMs(MONDAY - 60_000));
    const market = new SimulatedMarket(OPTIONS, clock, new RecordingLog());
    const recorder = new RecordingListener();
    market.listen(recorder);
    await market.start();
    const openOf = async (id: number, period: '60min' | '1day') =>
      (await market.bars(id, period, 1))[0]?.open ?? Number.NaN;
    const opens = new Map<number, Past['opens']>();
    for (const { id } of market.instruments)
      opens.set(id, { hour: await openOf(id, '60min'), day: await openOf(id, '1day') });
    await clock.advance(60_000 + LENGTH_MS);
    const pasts = new Map<number, Past>();
    for (const [id, open] of opens)
      pasts.set(id, { opens: open, minutes: await market.bars(id, '1min', MINUTES) });
    await market.stop();
    return new Truth(pasts, recorder.ticked);
  }

  /** Of each minute, oldest first. */
  minutesOf(id: number): readonly Bar[] {
    return this.pasts.get(id)?.minutes ?? [];
  }

  /** The first price of the day or the hour that holds `time`. */
  openAt(id: number, window: ChangeWindow, time: UnixMs): number {
    const start = windowStart(window, time);
    if (start < MONDAY) return this.pasts.get(id)?.opens[window] ?? Number.NaN;
    return this.ticksOf(id).find((tick) => tick.time >= start)?.price ?? Number.NaN;
  }

  ticksOf(id: number): readonly Tick[] {
    return this.ticks.get(id) ?? [];
  }

  /** The index of the last tick until `time`; -1 where there is none. */
  lastIndex(id: number, time: number): number {
    const ticks = this.ticksOf(id);
    let low = 0;
    let high = ticks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ticks[middle] as Tick).time <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Whether the instrument had this price at this time. */
  was(id: number, time: number, price: number): boolean {
    const tick = this.ticksOf(id)[this.lastIndex(id, time)];
    return tick?.time === time && tick.price === price;
  }

  /** A one-minute bar. */
  bar(id: number, time: UnixSeconds): Bar | undefined {
    return this.bars.get(id)?.get(time);
  }
}

/** All that a bar says, to be compared. */
export function barText({ time, open, high, low, close, volume }: Bar): string {
  return [time, open, high, low, close, volume].join(' ');
}

function barsOf(ticks: readonly Tick[]): Map<UnixSeconds, Bar> {
  const bars = new Map<UnixSeconds, Bar>();
  for (const { price, volume, time } of ticks) {
    const minute = barStart('1min', secondOf(time));
    const bar = bars.get(minute);
    if (bar) foldTick(bar, price, volume);
    else bars.set(minute, barFromTick(minute, price, volume));
  }
  return bars;
}
