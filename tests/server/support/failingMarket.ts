import { SerialMarket } from './serialMarket';

/** Its transactions fail while `failing`. */
export class FailingMarket extends SerialMarket {
  failing = false;
  failures = 0;

  override async savePosition(): Promise<void> {
    if (!this.failing) return;
    this.failures++;
    throw new Error('the database is gone');
  }
}
