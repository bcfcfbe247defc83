import type { UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { HaltableMarket } from '../market/halts/haltableMarket';
import type { PriceRange } from '../market/market';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { answerDescription } from './description';
import type { Epochs } from './epochs';
import { MarketPublisher } from './marketPublisher';
import type { BarsQuestion, KnownEpoch } from './remoteMarket';

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
    this.answer<BarsQuestion>(SUBJECTS.bars, ({ instrumentId, period, limit, before }) =>
      market.bars(instrumentId, period, limit, before),
    );
    this.answer<RangeQuestion>(SUBJECTS.range, async ({ instrumentId, since, until }) => {
      const range: PriceRange | undefined = await market.priceRange(instrumentId, since, until);
      return range ?? null;
    });
    this.answer<HaltQuestion>(SUBJECTS.halt, async ({ instrumentId, halted }) => {
      const instrument = market.instruments.find(({ id }) => id === instrumentId);
      if (!instrument) return false;
      return halted ? market.halt(instrument) : market.resume(instrument);
    });
    this.publisher.start();
  }

  /** As a page of the present (`pageQuestion`). */
  private answer<Q>(subject: string, answer: (question: Q) => Promise<unknown>): void {
    const { bus, epochs } = this.options;
    bus.answer(subject, async (data) => {
      const question = fromJson<Q & KnownEpoch>(data);
      if ((question.epoch ?? 0) > epochs.present) return undefined;
      return toJson(await answer(question));
    });
  }

  stop(): void {
    this.publisher.stop();
  }
}
