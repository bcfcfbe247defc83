import type { UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { HaltableMarket } from '../market/halts/haltableMarket';
import type { PriceRange } from '../market/market';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { answerDescription } from './description';
import type { Epochs } from './epochs';
import { MarketPublisher } from './marketPublisher';
import type { BarsQuestion } from './remoteMarket';

/** A question for the range of past prices. */
export interface RangeQuestion {
  instrumentId: number;
  since: UnixMs;
  until: UnixMs;
}

/** A command of the operator of an engine. */
export interface HaltQuestion {
  instrumentId: number;
  halted: boolean;
}

export interface MarketServerOptions {
  bus: Bus;
  market: HaltableMarket;
  clock: Clock;
  epochs: Epochs;
}

/** The market of this process for all others: what happens on it, and answers about it. */
export class MarketServer {
  private readonly options: MarketServerOptions;
  private readonly publisher: MarketPublisher;

  constructor(options: MarketServerOptions) {
    this.options = options;
    const { epochs } = options;
    this.publisher = new MarketPublisher({ ...options, epoch: epochs.present });
    epochs.onBegin((epoch) => this.publisher.beginEpoch(epoch));
  }

  /** After the market has started, and after the listeners that match. */
  start(): void {
    const { bus, market } = this.options;
    answerDescription(bus, market);
    bus.answer(SUBJECTS.bars, async (data) => {
      const { instrumentId, period, limit, before } = fromJson<BarsQuestion>(data);
      return toJson(await market.bars(instrumentId, period, limit, before));
    });
    bus.answer(SUBJECTS.range, async (data) => {
      const { instrumentId, since, until } = fromJson<RangeQuestion>(data);
      const range: PriceRange | undefined = await market.priceRange(instrumentId, since, until);
      return toJson(range ?? null);
    });
    bus.answer(SUBJECTS.halt, async (data) => {
      const { instrumentId, halted } = fromJson<HaltQuestion>(data);
      const instrument = market.instruments.find(({ id }) => id === instrumentId);
      if (!instrument) return toJson(false);
      return toJson(await (halted ? market.halt(instrument) : market.resume(instrument)));
    });
    this.publisher.start();
  }

  stop(): void {
    this.publisher.stop();
  }
}
