import type { Tx } from './open';

/** One change on its way: everything that it writes goes through one transaction. */
export interface UnitOfWork {
  readonly tx: Tx;
  /** What the world may know only once the change is committed; run in the order of asking, and must not throw. */
  onCommit(effect: () => void): void;
  /** What has to be taken back when the change fails, or may have: its own later steps have seen it already. */
  onRollback(undo: () => void): void;
}
