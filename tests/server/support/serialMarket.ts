import { Turns } from '../../../server/core/serialQueue';
import { ScriptedMarket } from './scriptedMarket';

/** A scripted market that holds its feed as the real ones do: one batch, or one `between`, at a time. */
export class HeldMarket extends ScriptedMarket {
  /** Transactions that took the feed's position along. */
  positions = 0;
  private readonly turns = new Turns();

  /** Each batch comes a second after the last. */
  override tick(...ticks: [instrumentId: number, price: number, volume?: number][]): Promise<void> {
    return this.turns.take(() => {
      this.time += 1000;
      return super.tick(...ticks);
    });
  }

  override between<T>(work: () => T | Promise<T>): Promise<T> {
    return this.turns.take(work);
  }

  override async commitPosition(): Promise<void> {
    this.positions++;
  }
}
