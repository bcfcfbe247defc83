import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import type { Epochs } from './epochs';

/** What an engine says once a second, and when sessions end. */
export interface EngineWord {
  shard: number;
  epoch: number;
  /** Goes up by one within an epoch: a gap is a lost word. */
  sequence: number;
  /** Sessions. */
  ended: readonly number[];
  /** Where it takes calls. */
  url: string;
  /** Whether there are others, so that accounts have to be looked for. */
  divided: boolean;
}

const EVERY_MS = toDurationMs(1_000);
/** Of one word, so that a message stays below NATS' usual limit. */
const MOST_ENDED = 10_000;

export interface AnnouncerOptions {
  bus: Bus;
  clock: Clock;
  epochs: Epochs;
  shard: number;
  divided: boolean;
}

/** Says to all gateways that an engine lives, where it is, and which sessions have ended. */
export class EngineAnnouncer {
  private readonly options: AnnouncerOptions;
  private url = '';
  private sequence = 0;
  private readonly ended: number[] = [];
  private cancelBeat = () => {};

  constructor(options: AnnouncerOptions) {
    this.options = options;
    options.epochs.onBegin(() => {
      this.sequence = 0;
      this.say();
    });
  }

  /** Once it listens at this address. */
  start(url: string): void {
    this.url = url;
    this.say();
    this.beat();
  }

  stop(): void {
    this.cancelBeat();
    this.url = '';
  }

  endSession(id: number): void {
    this.ended.push(id);
    if (this.ended.length === 1) queueMicrotask(() => this.say());
  }

  private beat(): void {
    this.cancelBeat = this.options.clock.after(EVERY_MS, () => {
      this.say();
      this.beat();
    });
  }

  private say(): void {
    if (!this.url) return;
    const { bus, epochs, shard, divided } = this.options;
    do {
      const ended = this.ended.splice(0, MOST_ENDED);
      const { url } = this;
      const word: EngineWord = {
        shard,
        epoch: epochs.present,
        sequence: ++this.sequence,
        ended,
        url,
        divided,
      };
      bus.publish(SUBJECTS.engines, toJson(word));
    } while (this.ended.length > 0);
  }
}

/** After so long without a word, ms, an engine may be cut off from the bus, and its messages to users with it. */
const SILENT_MS = toDurationMs(5_000);

export interface EngineWatchOptions {
  bus: Bus;
  clock: Clock;
  /** Whether an engine whose words do not come answers at its address. */
  answers(url: string): Promise<boolean>;
  /** Words of this engine were missed, or don't come though it is at work, or another process has its database now. */
  onGap(shard: number): void;
  onSessionEnded(sessionId: number): void;
}

/** The engines as a gateway hears them. */
export class EngineWatch {
  private readonly options: EngineWatchOptions;
  private readonly last = new Map<number, EngineWord>();
  /** When each was heard last; absent once its silence is told. */
  private readonly heardAt = new Map<number, DurationMs>();
  private stopReading = () => {};
  private cancelCheck = () => {};

  constructor(options: EngineWatchOptions) {
    this.options = options;
  }

  start(): void {
    const { bus, onGap } = this.options;
    this.stopReading = bus.listen(SUBJECTS.engines, (data) =>
      this.receive(fromJson<EngineWord>(data)),
    );
    // Messages to users may be lost without a word among them.
    bus.onReconnected(() => {
      for (const shard of this.last.keys()) onGap(shard);
    });
    this.check();
  }

  stop(): void {
    this.cancelCheck();
    this.stopReading();
  }

  /** Where the engine of these accounts takes calls; undefined before it was heard. */
  addressOf(shard: number): string | undefined {
    return this.last.get(shard)?.url;
  }

  /** Whether the accounts are divided; undefined before the first engine was heard. */
  get divided(): boolean | undefined {
    return this.last.get(1)?.divided;
  }

  /** Of the engine at work; 0 before it was heard. */
  epochOf(shard: number): number {
    return this.last.get(shard)?.epoch ?? 0;
  }

  private receive(word: EngineWord): void {
    const { shard, epoch, sequence } = word;
    const last = this.last.get(shard);
    // An engine that was paused while another one took over, or a word that came twice.
    if (last && (epoch < last.epoch || (epoch === last.epoch && sequence <= last.sequence))) return;
    this.last.set(shard, word);
    this.heardAt.set(shard, this.options.clock.elapsed());
    for (const id of word.ended) this.options.onSessionEnded(id);
    const follows = !last || (epoch === last.epoch && sequence === last.sequence + 1);
    if (!follows) this.options.onGap(shard);
  }

  private check(): void {
    this.cancelCheck = this.options.clock.after(EVERY_MS, () => {
      for (const [shard, at] of this.heardAt) {
        if (this.options.clock.elapsed() - at > SILENT_MS) void this.doubt(shard, at);
      }
      this.check();
    });
  }

  /**
   * An engine that has ended changes nothing: phones keep their prices. Of one that is at work and not heard, phones would
   * show orders as they were, without notice: they have to ask it.
   */
  private async doubt(shard: number, at: DurationMs): Promise<void> {
    const { options, heardAt } = this;
    const url = this.addressOf(shard);
    if (!url || !(await options.answers(url)) || heardAt.get(shard) !== at) return;
    heardAt.delete(shard);
    options.onGap(shard);
  }
}
