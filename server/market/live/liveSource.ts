import {
  type DurationMs,
  millisecondOf,
  type Seconds,
  secondOf,
  timeAfter,
  timeBefore,
  toDurationMs,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { Clock } from '../../core/clock';
import { getOrInsert } from '../../core/getOrInsert';
import type { Log } from '../../core/log';
import type { ListedPair } from './codec';
import type { Source } from './source';
import { minuteOf, Track, type TrackGates, type TrackSink } from './track';

interface SourceInstrument {
  id: number;
  code: string;
  /** All minutes before are known; undefined where none is. */
  filledUntil: UnixSeconds | undefined;
}

export interface LiveSourceOptions {
  /** In order of preference. */
  sources: readonly Source[];
  instruments: readonly SourceInstrument[];
  clock: Clock;
  log: Log;
  /** How far the minutes of a new instrument reach back at most. */
  reachBack: Seconds;
  sink: TrackSink;
  /** Undefined: every price counts at once. */
  gates?: TrackGates | undefined;
  /** Runs a change of the feed when it may; changes run in the order of the calls. */
  enqueue: (change: () => void) => void;
}

const MINUTE_MS = 60_000;
/** All instruments are open after so many seconds, or else the operator is told how long it takes. */
const SOON = 5;
const SETTLE_EVERY = toDurationMs(250);
/** Between two attempts to read klines. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;
/** The list of an exchange that could not be reached is asked for again. */
const LIST_AGAIN = toDurationMs(15_000);
/** The list of an exchange that refuses a pair is read soon, and then again until the pair is back. */
const LIST_SOON = toDurationMs(1_000);
const LIST_LATER = toDurationMs(60_000);
/** So much is read before an instrument opens again; what is missing of a longer time comes later. */
const MOST_BEFORE = 2_880 * MINUTE_MS;
/** Until the exchange's clock is known, an instrument waits so long: where little is traded, nothing tells it. */
const CLOCK_WITHIN = toDurationMs(2_000);
const LOOK_EVERY = toDurationMs(100);
/** A preferred exchange that comes back must have lived so long before it is preferred again. */
const PROVEN_AFTER = toDurationMs(30_000);

/** Live instruments over one exchange or several: which one serves each, gaps, and the ends of minutes. */
export class LiveSource {
  readonly tracks: ReadonlyMap<number, Track>;
  private readonly options: LiveSourceOptions;
  private readonly byCode: ReadonlyMap<string, Track>;
  private cancelSettle = () => {};
  private readonly cancels = new Set<() => void>();
  private stopped = false;
  private latest = toUnixMs(0);
  private wasKnown = false;
  /** When sources first had an instrument that is ready, by the process's clock. */
  private readonly readySince = new Map<Source, DurationMs>();
  /** What each exchange refuses, and whether its list still has it. */
  private readonly refused = new Map<Source, Map<string, { listed: boolean }>>();

  constructor(options: LiveSourceOptions) {
    this.options = options;
    const now = options.clock.now();
    const tracks = options.instruments.map(({ id, code, filledUntil }) => {
      const until = filledUntil ?? minuteOf(now);
      const isNew = filledUntil === undefined;
      return new Track(id, code, options.sink, now, until, isNew, options.gates);
    });
    this.tracks = new Map(tracks.map((track) => [track.id, track]));
    this.byCode = new Map(tracks.map((track) => [track.code, track]));
  }

  /** The clock of the preferred exchange; it never runs backwards. */
  now(): UnixMs {
    const [source] = this.options.sources;
    if (!source) return this.latest;
    // Before, it was the machine's, which may be wrong.
    if (source.time.isKnown !== this.wasKnown) this.latest = toUnixMs(0);
    this.wasKnown = source.time.isKnown;
    this.latest = toUnixMs(Math.max(this.latest, source.time.now()));
    return this.latest;
  }

  /** No trade of a track before will come any more. */
  settledUntil(track: Track): UnixMs {
    return track.settledUntil(track.active?.receivedUntil(track.code) ?? this.now());
  }

  /** `lists`: what the exchanges list, as far as they could be reached. */
  start(lists: ReadonlyMap<Source, ReadonlyMap<string, ListedPair>>): void {
    for (const source of this.options.sources) {
      const list = lists.get(source);
      if (list) this.connect(source, list);
      else this.listAgain(source);
    }
    this.settle();
  }

  stop(): void {
    this.stopped = true;
    this.cancelSettle();
    for (const cancel of this.cancels) cancel();
    for (const source of this.options.sources) source.stop();
  }

  private listAgain(source: Source): void {
    this.after(LIST_AGAIN, () => {
      source.list().then(
        (list) => {
          if (!this.stopped) this.connect(source, list);
        },
        () => this.listAgain(source),
      );
    });
  }

  private connect(source: Source, list: ReadonlyMap<string, ListedPair>): void {
    // In the order in which they open: those that are traded most.
    const pairs = new Map(
      [...list]
        .filter(([code]) => this.byCode.has(code))
        .sort(([, a], [, b]) => b.turnover - a.turnover),
    );
    const { enqueue, log } = this.options;
    const { name, limits } = source.codec;
    const seconds = Math.ceil((pairs.size * limits.callEvery) / 1000);
    if (seconds > SOON) {
      log.info(
        `${name}: ${pairs.size} pairs open one after the other, the last in some ${seconds} s, the most traded first.`,
      );
    }
    source.connect(pairs, {
      event: (code, event) => {
        const track = this.byCode.get(code);
        if (!track) return;
        enqueue(() => {
          if (track.active !== source) {
            // It stands by.
            if (event.kind === 'trade' && !event.past) track.standBy(source, event);
          } else if (event.kind === 'trade') track.trade(event, source.time.now());
          else if (event.kind === 'book') track.topOfBook(event.bid, event.ask, source.time.now());
        });
      },
      refused: (code, reason) => this.leaveOut(code, source, reason),
      ready: (code) => {
        this.refused.get(source)?.delete(code);
        const track = this.byCode.get(code);
        if (track) enqueue(() => this.ready(track, source));
      },
      lost: (codes) => enqueue(() => this.lost(codes, source)),
    });
  }

  private leaveOut(code: string, source: Source, reason: string): void {
    const refused = getOrInsert(this.refused, source, () => new Map());
    if (refused.has(code)) return;
    this.options.log.warn(`${source.codec.name} refused ${code}: ${reason}. It is left out.`);
    if (refused.size === 0) this.lookForRefused(source, LIST_SOON);
    refused.set(code, { listed: true });
  }

  /** Asks again for what the exchange has refused and lists, until nothing is refused. */
  private lookForRefused(source: Source, delay: DurationMs): void {
    this.after(delay, async () => {
      const refused = this.refused.get(source) ?? new Map<string, { listed: boolean }>();
      const list = await source.list().catch(() => undefined);
      if (this.stopped) return;
      for (const [code, state] of list ? refused : []) {
        const listed = list?.has(code) === true;
        if (state.listed && !listed)
          this.options.log.warn(`${source.codec.name} no longer lists ${code}.`);
        state.listed = listed;
        if (listed) source.ask(code);
      }
      if (refused.size > 0) this.lookForRefused(source, LIST_LATER);
    });
  }

  private ready(track: Track, source: Source): void {
    getOrInsert(track.ready, source, () => this.options.clock.elapsed());
    if (!track.active) this.beginTimed(track, source);
    else if (track.active !== source) this.preferLater(track, source);
  }

  /** Prices come from the preferred exchange again once it has proven to last; until its bars are here they come from the other one. */
  private preferLater(track: Track, source: Source): void {
    const { sources, enqueue } = this.options;
    const since = track.ready.get(source);
    const rank = (each: Source | undefined) => (each ? sources.indexOf(each) : sources.length);
    // Not where it was lost meanwhile: then it has to prove itself anew.
    const isPreferred = () =>
      track.ready.get(source) === since && rank(source) < rank(track.active) && !this.stopped;
    if (!isPreferred()) return;
    this.after(PROVEN_AFTER, () =>
      enqueue(() => {
        if (!isPreferred()) return;
        const change = (bars: readonly Bar[], until: UnixMs) => {
          track.lose();
          track.begin(source);
          track.fill(bars, until);
        };
        this.read(track, source, 0, change, isPreferred);
      }),
    );
  }

  private lost(codes: readonly string[], source: Source): void {
    for (const code of codes) {
      const track = this.byCode.get(code);
      if (!track?.ready.delete(source) || track.active !== source) continue;
      track.lose();
      const next = this.options.sources.find((each) => track.ready.has(each));
      if (next) this.begin(track, next);
    }
  }

  /** Begins once the exchange's clock is known: which minutes are over depends on it. */
  private beginTimed(track: Track, source: Source): void {
    const { clock, enqueue } = this.options;
    const since = getOrInsert(this.readySince, source, () => clock.elapsed());
    if (source.time.isKnown || clock.elapsed() - since >= CLOCK_WITHIN) {
      this.begin(track, source);
      return;
    }
    this.after(LOOK_EVERY, () =>
      enqueue(() => {
        // Another exchange may have begun meanwhile.
        if (track.ready.has(source)) this.ready(track, source);
      }),
    );
  }

  private begin(track: Track, source: Source): void {
    if (track.isNew) {
      const back = toDurationMs(this.options.reachBack * 1000);
      track.filledUntil = minuteOf(timeBefore(source.time.now(), back));
    }
    track.begin(source);
    this.read(track, source, 0, (bars, until) => track.fill(bars, until));
  }

  /** Reads the klines since the last closed minute, again until it succeeds. */
  private read(
    track: Track,
    source: Source,
    attempt: number,
    use: (bars: readonly Bar[], until: UnixMs) => void,
    current = this.whileOf(track),
  ): void {
    const { enqueue, log } = this.options;
    // What was over when the call began is over in its answer.
    const asked = source.time.now();
    const { klinesPerCall, latestKlinesOnly } = source.codec.limits;
    const inOneCall = (klinesPerCall - 1) * MINUTE_MS;
    const longest = track.isNew || latestKlinesOnly ? inOneCall : MOST_BEFORE;
    const oldest = Math.floor((asked - longest) / MINUTE_MS) * MINUTE_MS;
    const since = toUnixMs(Math.max(millisecondOf(track.filledUntil), oldest));
    const tooOld = secondOf(toUnixMs(oldest));
    minutesOf(source, track.code, since, asked, current).then(
      (bars) => {
        if (!current()) return;
        enqueue(() => {
          if (!current()) return;
          track.skipUntil(tooOld);
          use(bars, asked);
        });
      },
      (error: unknown) => {
        if (!current()) return;
        const reason = error instanceof Error ? error.message : error;
        if (attempt === 0) log.warn(`The bars of ${track.code} could not be read: ${reason}`);
        const wait = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** attempt);
        this.after(toDurationMs(wait), () => {
          if (current()) this.read(track, source, attempt + 1, use, current);
        });
      },
    );
  }

  /** Whether its prices come as now. */
  private whileOf(track: Track): () => boolean {
    const { generation } = track;
    return () => track.generation === generation && !this.stopped;
  }

  private settle(): void {
    const { clock, enqueue } = this.options;
    this.cancelSettle = clock.after(SETTLE_EVERY, () => {
      enqueue(() => {
        for (const track of this.tracks.values()) this.settleTrack(track);
      });
      this.settle();
    });
  }

  private settleTrack(track: Track): void {
    const { active } = track;
    if (!active || !track.isOpen || track.confirming) return;
    if (!track.settle(active.receivedUntil(track.code))) return;
    track.confirming = true;
    this.read(track, active, 0, (bars, until) => {
      track.confirm(bars, until);
      track.confirming = false;
    });
  }

  private after(delay: ReturnType<typeof toDurationMs>, action: () => void): void {
    const cancel = this.options.clock.after(delay, () => {
      this.cancels.delete(cancel);
      if (!this.stopped) action();
    });
    this.cancels.add(cancel);
  }
}

/** The minutes from `since` on, call by call. */
async function minutesOf(
  source: Source,
  code: string,
  since: UnixMs,
  now: UnixMs,
  isWanted: () => boolean,
): Promise<Bar[]> {
  const bars = new Map<UnixSeconds, Bar>();
  const page = toDurationMs(source.codec.limits.klinesPerCall * MINUTE_MS);
  for (let start = since; start <= now && isWanted(); start = timeAfter(start, page)) {
    for (const bar of await source.klines(code, '1min', start)) bars.set(bar.time, bar);
  }
  return [...bars.values()].sort((a, b) => a.time - b.time);
}
