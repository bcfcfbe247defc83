import { timeAfter, toDurationMs } from '#domain/core/time';
import { SerialQueue } from '../../../server/core/serialQueue';
import { ScriptedMarket } from './scriptedMarket';

/** A scripted market that holds its feed as the real ones do: one batch, or one `between`, at a time. */
export class SerialMarket extends ScriptedMarket {
  /** Transactions that took the feed's position along. */
  positions = 0;
  private readonly queue = new SerialQueue();

  /** Each batch comes a second after the last. */
  override tick(...ticks: [instrumentId: number, price: number, volume?: number][]): Promise<void> {
    return this.queue.run(() => {
      this.time = timeAfter(this.time, toDurationMs(1000));
      return super.tick(...ticks);
    });
  }

  override exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  override async savePosition(): Promise<void> {
    this.positions++;
  }
}
