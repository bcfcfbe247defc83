import { type DurationMs, toDurationMs, type UnixMs } from '#domain/core/time';

/** After a present state, further ones wait until this is over (D80). */
const WINDOW_MS = 1000;
/** Rows that are sent without waiting: those in sight while a user scrolls. */
const FREE_ROWS = 100;

/** Limits the present states that one socket can request, because a `sub` costs its sender little. */
export class PresentStates {
  private since = Number.NEGATIVE_INFINITY;
  private rows = 0;
  private readonly bars = new Set<number>();

  /** How long `rows` rows have to wait; 0: they may be sent now, and are counted. */
  delay(rows: number, now: UnixMs): DurationMs {
    this.begin(now);
    const isFirst = this.rows === 0;
    if (!isFirst && this.rows + rows > FREE_ROWS) {
      return toDurationMs(this.since + WINDOW_MS - now);
    }
    this.rows += rows;
    return toDurationMs(0);
  }

  /** Whether the open bar of an instrument may be sent: once in the window. */
  maySendBar(instrumentId: number, now: UnixMs): boolean {
    this.begin(now);
    if (this.bars.has(instrumentId)) return false;
    this.bars.add(instrumentId);
    return true;
  }

  private begin(now: UnixMs): void {
    if (now < this.since + WINDOW_MS) return;
    this.since = now;
    this.rows = 0;
    this.bars.clear();
  }
}
