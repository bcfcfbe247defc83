import { timeOf, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import type { Waiting } from '#domain/trading/alert';
import type { alerts } from '../db/schema';

/** An alert as the server keeps it. Immutable: a change makes a new object with the same id. */
export interface AlertState {
  readonly id: number;
  readonly userId: number;
  readonly feed: string;
  /** 0 where this process does not trade the instrument. */
  readonly instrumentId: number;
  readonly code: string;
  readonly precision: number;
  readonly price: Price;
  readonly waits: Waiting;
  readonly above: boolean;
  readonly repeat: boolean;
  readonly note: string;
  readonly until: UnixMs | undefined;
  readonly ended: boolean;
  readonly createdAt: UnixMs;
  readonly triggeredAt: UnixMs | undefined;
  readonly triggerPrice: Price;
  /** The feed's clock after whose ticks it is watched. */
  readonly since: UnixMs;
}

export function fromRecord(record: typeof alerts.$inferSelect): AlertState {
  return {
    ...record,
    price: toPrice(record.price),
    until: record.until ? timeOf(record.until) : undefined,
    createdAt: timeOf(record.createdAt),
    triggeredAt: record.triggeredAt ? timeOf(record.triggeredAt) : undefined,
    triggerPrice: toPrice(record.triggerPrice),
    since: timeOf(record.since),
  };
}
