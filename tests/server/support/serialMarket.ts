import { timeAfter, toDurationMs } from '#domain/core/time';
import { SerialQueue } from '../../../server/core/serialQueue';
import { ScriptedMarket, type ScriptedTick } from './scriptedMarket';

/** A scripted market that runs one batch or one `exclusively` at a time, as real ones do. */
export class SerialMarket extends ScriptedMarket {
  /** Number of transactions that saved the feed's position. */
  positions = 0;
  private readonly queue = new SerialQueue();

  /** Each batch comes one second after the last. */
  override tick(...ticks: ScriptedTick[]): Promise<void> {
    return this.queue.run(() => {
      this.time = timeAfter(this.time, toDurationMs(1000));
      return super.tick(...ticks);
    });
  }

  override exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  /** Lets nothing have its turn until the returned function is called; that resolves when turns go on. */
  hold(): () => Promise<void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const turn = this.exclusively(() => held);
    return () => {
      release();
      return turn;
    };
  }

  override async savePosition(): Promise<void> {
    this.positions++;
  }
}
