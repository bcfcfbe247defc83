import type { Bar } from '#domain/market/kline';
import type { Log } from '../../../server/core/log';
import type { MarketListener, Tick } from '../../../server/market/market';

/** Records all events of a market, in order. */
export class RecordingListener implements MarketListener {
  readonly ticked: Tick[] = [];
  readonly closed: { id: number; bar: Bar }[] = [];
  readonly statusChanges: number[][] = [];
  readonly books: number[][] = [];
  readonly batches: number[] = [];
  skips = 0;
  /** Ticks before the last one. */
  skippedBefore = 0;
  saved = 0;

  ticks(ticks: readonly Tick[]): void | Promise<void> {
    this.ticked.push(...ticks);
    this.batches.push(ticks.length);
  }

  status(ids: readonly number[]): void {
    this.statusChanges.push([...ids]);
  }

  topOfBook(ids: readonly number[]): void {
    this.books.push([...ids]);
  }

  barClosed(id: number, bar: Bar): void {
    this.closed.push({ id, bar: { ...bar } });
  }

  skipped(): void {
    this.skips++;
    this.skippedBefore = this.ticked.length;
  }

  positionSaved(): void {
    this.saved++;
  }

  barsOf(id: number): Bar[] {
    return this.closed.filter((closed) => closed.id === id).map(({ bar }) => bar);
  }
}

/** A log whose lines can be read. */
export class RecordingLog implements Log {
  readonly warnings: string[] = [];
  readonly errors: string[] = [];

  readonly infos: string[] = [];

  info(text: string): void {
    this.infos.push(text);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  error(text: string): void {
    this.errors.push(text);
  }
}
