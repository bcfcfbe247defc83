import type { UnixMs } from '#domain/core/time';
import type { Db, Tx } from '../db/database';
import type { UnitOfWork } from '../db/transactions';
import type { Tick } from '../market/market';

/**
 * What else is judged for each tick, after the orders and in the transaction of their matching: what it writes commits
 * with the feed's position.
 */
export interface TickWatch {
  /** Something has to be read or written before the next tick is judged. */
  readonly isDue: boolean;
  /** Everything is read from the database again before its next use. */
  forget(): void;
  /** Reads what is forgotten. `due`: the times of the ticks that are about to be judged, by instrument. */
  load(db: Db, due: ReadonlyMap<number, UnixMs>): Promise<void>;
  /** Writes what `load` has found. */
  settle(work: UnitOfWork): Promise<void>;
  /** Applies a tick. Returns whether it triggers anything. Applying it again changes nothing. */
  applyTick(tick: Tick): boolean;
  /** Writes what an applied tick triggers. */
  trigger(work: UnitOfWork, tick: Tick): Promise<void>;
  /** As `MarketListener.hasMoved`. */
  readonly hasMoved: boolean;
  /** As `MarketListener.savePosition`. */
  savePosition(tx: Tx): Promise<void>;
  /** As `MarketListener.positionSaved`. */
  positionSaved(): void;
}

/** For an engine that judges nothing else. */
export const noWatch: TickWatch = {
  isDue: false,
  forget() {},
  async load() {},
  async settle() {},
  applyTick: () => false,
  async trigger() {},
  hasMoved: false,
  async savePosition() {},
  positionSaved() {},
};
