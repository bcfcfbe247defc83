import { timeOf, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import type { Waiting } from '#domain/trading/alert';
import { type Condition, parseCondition } from '#domain/trading/condition';
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
  readonly condition: Condition;
  /** 0 where it is not on a price. */
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

/** Throws for a condition that no version of this server has written. */
export function fromRecord(record: typeof alerts.$inferSelect): AlertState {
  const { kind, params, ...others } = record;
  const condition = parseCondition(kind, params);
  if (!condition) throw new Error(`alert ${record.id} is on nothing that is known`);
  return {
    ...others,
    condition,
    price: toPrice(record.price),
    until: record.until ? timeOf(record.until) : undefined,
    createdAt: timeOf(record.createdAt),
    triggeredAt: record.triggeredAt ? timeOf(record.triggeredAt) : undefined,
    triggerPrice: toPrice(record.triggerPrice),
    since: timeOf(record.since),
  };
}
