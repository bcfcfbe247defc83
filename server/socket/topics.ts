import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Clock } from '../core/clock';
import { getOrInsert } from '../core/getOrInsert';
import type { MarketView, Tick } from '../market/market';
import { klineRow } from '../market/quotes/rows';
import type { Outbox } from './outbox';
import type { QuoteEncoder } from './quoteEncoder';
import { QuoteTopic } from './quoteTopic';
import { QuoteVersions } from './quoteVersions';
import { jsonFrame, type TextFrame } from './textFrame';

/** The public topics of the market. */
export class Topics {
  readonly byCode: ReadonlyMap<string, Instrument>;
  readonly quotes: QuoteTopic;
  readonly bars: BarTopics;
  private readonly market: MarketView;
  private readonly congestion: () => Promise<void> | undefined;
  private stopListening = () => {};

  /**
   * `congestion` resolves when slow readers have caught up; it returns undefined where the market
   * does not wait for readers.
   */
  constructor(
    market: MarketView,
    encoder: QuoteEncoder,
    clock: Clock,
    congestion: () => Promise<void> | undefined,
  ) {
    this.byCode = new Map(market.instruments.map((instrument) => [instrument.code, instrument]));
    const every = market.instruments.map(({ id }) => id);
    this.quotes = new QuoteTopic(encoder, new QuoteVersions(every), clock);
    this.bars = new BarTopics(market, clock);
    this.market = market;
    this.congestion = congestion;
  }

  /** Starts publishing the market's events. */
  start(): void {
    this.stopListening = this.market.listen({
      ticks: (ticks) => {
        this.quotes.publish(ticks);
        this.bars.publish(ticks);
        return this.congestion();
      },
      status: (instrumentIds) => this.quotes.republish(instrumentIds),
      topOfBook: (instrumentIds) => this.quotes.republish(instrumentIds),
      barClosed: (instrumentId, bar) => this.bars.publishBar(instrumentId, bar),
    });
  }

  stop(): void {
    this.stopListening();
  }

  /** Ids of the known codes; undefined, which means all, where no codes are given. */
  idsOf(codes: readonly string[] | undefined): { ids: Set<number> | undefined; unknown: string[] } {
    if (!codes) return { ids: undefined, unknown: [] };
    const ids = new Set<number>();
    const unknown: string[] = [];
    for (const code of codes) {
      const instrument = this.byCode.get(code);
      if (instrument) ids.add(instrument.id);
      else unknown.push(code);
    }
    return { ids, unknown };
  }
}

interface BarTopic {
  instrument: Instrument;
  readers: Set<Outbox>;
}

/** The topics KLINE.{Code}: one-minute bars. */
class BarTopics {
  private readonly market: MarketView;
  private readonly clock: Clock;
  private readonly topics = new Map<number, BarTopic>();

  constructor(market: MarketView, clock: Clock) {
    this.market = market;
    this.clock = clock;
  }

  /** Sends the open bar, once it may (D80). A repeated subscription does nothing. */
  subscribe(outbox: Outbox, instrument: Instrument): void {
    const { readers } = getOrInsert(this.topics, instrument.id, () => ({
      instrument,
      readers: new Set<Outbox>(),
    }));
    if (readers.has(outbox)) return;
    readers.add(outbox);
    const { presentStates } = outbox;
    const now = this.clock.now();
    if (presentStates.countBar(instrument.id, now)) {
      this.sendPresent(outbox, instrument);
      return;
    }
    const { lateBars } = presentStates;
    const isWaiting = lateBars.size > 0;
    lateBars.add(instrument.id);
    if (!isWaiting) this.sendLate(outbox);
  }

  /** Sends the open bars that have to wait, when they may be sent. */
  private sendLate(outbox: Outbox): void {
    const { presentStates } = outbox;
    const { lateBars } = presentStates;
    const now = this.clock.now();
    const rest = presentStates.rest(now);
    if (rest > 0 && lateBars.size > 0) {
      this.clock.after(rest, () => this.sendLate(outbox));
      return;
    }
    for (const id of lateBars) {
      const topic = this.topics.get(id);
      if (!topic?.readers.has(outbox)) continue;
      presentStates.countBar(id, now);
      this.sendPresent(outbox, topic.instrument);
    }
    lateBars.clear();
  }

  private sendPresent(outbox: Outbox, instrument: Instrument): void {
    const bar = this.market.currentBar(instrument.id);
    if (bar) send(outbox, instrument, bar, encode(instrument, bar));
  }

  unsubscribe(outbox: Outbox, instrumentId: number): void {
    const topic = this.topics.get(instrumentId);
    topic?.readers.delete(outbox);
    if (topic?.readers.size === 0) this.topics.delete(instrumentId);
    outbox.dropBars(instrumentId);
  }

  /** Sends the open bars of the instruments in this batch. */
  publish(ticks: readonly Tick[]): void {
    if (this.topics.size === 0) return;
    for (const instrumentId of new Set(ticks.map((tick) => tick.instrumentId))) {
      const bar = this.topics.has(instrumentId) && this.market.currentBar(instrumentId);
      if (bar) this.publishBar(instrumentId, bar);
    }
  }

  publishBar(instrumentId: number, bar: Bar): void {
    const topic = this.topics.get(instrumentId);
    if (!topic) return;
    const frame = encode(topic.instrument, bar);
    for (const outbox of topic.readers) send(outbox, topic.instrument, bar, frame);
  }
}

function encode({ code, precision }: Instrument, bar: Bar): TextFrame {
  return jsonFrame({ type: `KLINE.${code}`, data: klineRow(bar, precision) });
}

function send(outbox: Outbox, { id }: Instrument, bar: Bar, frame: TextFrame): void {
  if (outbox.slow) outbox.holdBar(id, bar.time, frame);
  else outbox.send(frame);
}
