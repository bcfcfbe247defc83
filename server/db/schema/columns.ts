import { numeric, timestamp } from 'drizzle-orm/pg-core';

/** A time to the millisecond. */
export const timestampMs = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** USD with two decimals. */
export const usdCents = (name: string) => numeric(name, { precision: 24, scale: 2 });

/** USD with the six decimals of the ledger. */
export const ledgerUsd = (name: string) => numeric(name, { precision: 24, scale: 6 });
