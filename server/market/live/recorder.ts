import { appendFileSync } from 'node:fs';
import { toDecimal, toText } from '#domain/core/decimal';
import {
  DAY_MS,
  secondOf,
  timeAfter,
  toDurationMs,
  toSeconds,
  toUnixMs,
  type UnixMs,
} from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import type { Clock } from '../../core/clock';
import type { Log } from '../../core/log';
import { BAR_MARK } from '../replay/csvRows';
import type { LiveTrade } from './codec';
import { isBefore } from './codecs/reading';
import { gapText } from './gapText';
import { chooseCodes, liveSources, readLists } from './lists';
import type { LiveOptions } from './liveOptions';
import { LiveSource } from './liveSource';
import { TickFile } from './tickFile';

export interface RecorderOptions
  extends Pick<LiveOptions, 'exchanges' | 'codes' | 'websocket' | 'rest'> {
  /** The file of ticks; `.gz`: compressed. */
  to: string;
  /** Every message as it came, one JSON a line; empty: none. */
  raw: string;
}

interface RecordedTrade {
  id: number;
  trade: LiveTrade;
}

interface RecordedBar {
  id: number;
  bar: Bar;
}

/** A row that no earlier one can come before any more; of a minute without its trade. */
interface WaitingRow {
  id: number;
  at: UnixMs;
  trade?: LiveTrade;
  row: string;
}

const WRITE_EVERY = toDurationMs(1_000);
const REPORT_EVERY = toDurationMs(10_000);
const MINUTE_MS = 60_000;
/** A gap that stays open holds rows back no longer. */
const HOLD_MS = 15 * MINUTE_MS;

/** Writes the trades of live exchanges to a file that `--replay` plays. */
export class Recorder {
  private readonly options: RecorderOptions;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly file: TickFile;
  private readonly feed: LiveSource;
  private readonly codes: readonly string[];
  private readonly begin: () => void;
  private trades: RecordedTrade[] = [];
  private bars: RecordedBar[] = [];
  /** What is in the file, of this run. */
  private readonly written = { trades: 0, bars: 0 };
  /** Rows of each instrument that came too late for the file. */
  private readonly late = new Map<number, number>();
  /** The time of the last row in the file; 0: none. */
  private last: UnixMs;
  /** A row of an instrument has at least this time; of one that has none yet, `begins`. */
  private readonly earliest = new Map<number, UnixMs>();
  private readonly begins: UnixMs;
  private cancelWrite = () => {};
  private cancelReport = () => {};

  private constructor(
    options: RecorderOptions,
    clock: Clock,
    log: Log,
    file: TickFile,
    last: UnixMs | undefined,
    sources: ReturnType<typeof liveSources>,
    lists: Awaited<ReturnType<typeof readLists>>,
  ) {
    this.options = options;
    this.clock = clock;
    this.log = log;
    this.file = file;
    this.codes = chooseCodes(options, sources, lists);
    this.last = last ?? toUnixMs(0);
    this.begins = toUnixMs((last ?? -1) + 1);
    // What was not seen of the minute in which a recording broke off, and of those since, klines tell.
    const from = last === undefined ? undefined : barStart('1min', secondOf(last));
    this.feed = new LiveSource({
      sources,
      instruments: this.codes.map((code, index) => ({ id: index + 1, code, filledUntil: from })),
      clock,
      log,
      enqueue: (change) => change(),
      reachBack: toSeconds(0),
      sink: {
        tick: () => {},
        trade: (id, trade) => this.trades.push({ id, trade }),
        late: (id) => this.countLate(id),
        closed: (id, bar, whole) => {
          if (whole) this.bars.push({ id, bar });
        },
        filled: () => {},
        status: () => {},
        topOfBook: () => {},
        gap: (id, from, until) => log.warn(gapText(this.codes[id - 1] ?? '', from, until)),
      },
    });
    this.begin = () => this.feed.start(lists);
  }

  /** Throws an error for the operator where the exchange can't be reached. */
  static async open(options: RecorderOptions, clock: Clock, log: Log): Promise<Recorder> {
    const raw = (exchange: string, text: string) => {
      appendFileSync(options.raw, `${JSON.stringify({ time: clock.now(), exchange, text })}\n`);
    };
    const sources = liveSources(options, clock, log, options.raw ? raw : undefined);
    const lists = await readLists(sources, log);
    const { file, last } = await TickFile.open(options.to);
    return new Recorder(options, clock, log, file, last, sources, lists);
  }

  start(): void {
    this.log.info(`Recording ${this.codes.join(', ')} to ${this.options.to}.`);
    this.begin();
    this.write();
    this.report();
  }

  /** Writes what has come, and ends. */
  stop(): void {
    this.cancelWrite();
    this.cancelReport();
    this.feed.stop();
    this.writeUntil(timeAfter(this.feed.now(), toDurationMs(MINUTE_MS)));
    this.log.info(`Recorded ${this.summary()}.`);
  }

  private write(): void {
    this.cancelWrite = this.clock.after(WRITE_EVERY, () => {
      this.writeUntil(this.completeUntil());
      this.write();
    });
  }

  private report(): void {
    this.cancelReport = this.clock.after(REPORT_EVERY, () => {
      this.log.info(`${this.summary()} …`);
      this.report();
    });
  }

  private summary(): string {
    const { trades, bars } = this.written;
    const until = this.last > 0 ? new Date(this.last).toISOString() : 'none yet';
    const late = [...this.late].map(([id, rows]) => `${rows} of ${this.codes[id - 1]}`).join(', ');
    const lost = late && `; too late for the file: ${late}`;
    return `${trades} trades and ${bars} minutes from klines, until ${until}${lost}`;
  }

  /** No row before will come any more. */
  private completeUntil(): UnixMs {
    const now = this.feed.now();
    let until = Number.POSITIVE_INFINITY;
    for (const track of this.feed.tracks.values()) {
      until = Math.min(until, this.feed.settledUntil(track));
    }
    return toUnixMs(Math.max(until, now - HOLD_MS));
  }

  private writeUntil(until: UnixMs): void {
    const trades = this.trades.filter(({ trade }) => trade.time < until);
    const bars = this.bars.filter(({ bar }) => timeOf(bar) < until);
    this.trades = this.trades.filter(({ trade }) => trade.time >= until);
    this.bars = this.bars.filter(({ bar }) => timeOf(bar) >= until);
    const rows: WaitingRow[] = [
      ...trades.map(({ id, trade }) => ({
        id,
        at: trade.time,
        trade,
        row: this.tradeRow(id, trade),
      })),
      ...bars.map(({ id, bar }) => ({ id, at: timeOf(bar), row: this.barRow(id, bar) })),
    ];
    rows.sort((a, b) => {
      if (a.at !== b.at) return a.at - b.at;
      if (!a.trade || !b.trade) return 0;
      return isBefore(a.trade, b.trade) ? -1 : Number(isBefore(b.trade, a.trade));
    });
    const fitting = rows.filter((row) => this.fits(row));
    while (fitting[0]) {
      const day = dayOf(fitting[0]);
      const end = fitting.findIndex((row) => dayOf(row) !== day);
      this.append(fitting.splice(0, end < 0 ? fitting.length : end), day);
    }
  }

  /** Appends rows of one UTC day. */
  private append(rows: readonly WaitingRow[], day: number): void {
    this.file.append(
      rows.map(({ row }) => row),
      toUnixMs(day * DAY_MS),
    );
    for (const { trade } of rows) this.written[trade ? 'trades' : 'bars'] += 1;
  }

  /** Whether a row may follow those before it: the replay skips one that would change the past. */
  private fits({ id, at, trade }: WaitingRow): boolean {
    const minute = Math.floor(this.last / MINUTE_MS) * MINUTE_MS;
    if (at < minute || at < (this.earliest.get(id) ?? this.begins)) {
      this.countLate(id);
      return false;
    }
    this.last = toUnixMs(Math.max(this.last, at));
    // After a whole minute its trades would count twice.
    this.earliest.set(id, toUnixMs(trade ? at : at + 1));
    return true;
  }

  private countLate(id: number): void {
    this.late.set(id, (this.late.get(id) ?? 0) + 1);
  }

  private tradeRow(id: number, { time, price, volume }: LiveTrade): string {
    const bid = plain(price);
    return `${time},${this.codes[id - 1]},${bid},${bid},${plain(volume)}`;
  }

  private barRow(id: number, bar: Bar): string {
    const { open, high, low, close, volume } = bar;
    const numbers = [open, high, low, close, volume].map(plain);
    return [BAR_MARK, timeOf(bar), this.codes[id - 1], ...numbers].join(',');
  }
}

const dayOf = ({ at }: WaitingRow) => Math.floor(at / DAY_MS);

/** Where the row of a minute stands among trades: at its end. */
function timeOf(bar: Bar): UnixMs {
  return toUnixMs(bar.time * 1000 + MINUTE_MS - 1);
}

function plain(number: number): string {
  return toText(toDecimal(number));
}
