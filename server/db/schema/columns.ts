import { is } from 'drizzle-orm';
import { customType, numeric, type PgColumn, PgCustomColumn, timestamp } from 'drizzle-orm/pg-core';
import { type Decimal, toFixed, toText } from '#domain/core/decimal';
import { timeOf, type UnixMs } from '#domain/core/time';
import { toLeverage, toLots, toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';

/** A time to the millisecond. */
export const timestampMs = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** As `timestampMs`, read as a number. */
export const unixMs = customType<{ data: UnixMs; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (text) => timeOf(new Date(text)),
  toDriver: (time) => new Date(time).toISOString(),
});

/** USD with two decimals. */
export const usdCents = (name: string) => numeric(name, { precision: 24, scale: 2 });

/** USD with the six decimals of the ledger. */
export const ledgerUsd = (name: string) => numeric(name, { precision: 24, scale: 6 });

/** Exact numbers with their unit. */
export const price = exact(toPrice);
export const lots = exact(toLots);
export const leverage = exact(toLeverage);
export const unitsPerLot = exact(toUnitsPerLot);
export const exactCents = exact(toUsd, 2);
export const exactUsd = exact(toUsd, 6);

/** `scale`: as many decimals as the database keeps of it; undefined: all. */
function exact<Unit extends Decimal>(read: (text: string) => Unit, scale?: number) {
  return customType<{ data: Unit; driverData: string }>({
    dataType: () => (scale === undefined ? 'numeric' : `numeric(24, ${scale})`),
    fromDriver: read,
    toDriver: (value) => (scale === undefined ? toText(value) : toFixed(value, scale)),
  });
}

/** How a value of a column is written as JSON where that has no form for it; undefined for other columns. */
export function jsonWriter(column: PgColumn): ((value: unknown) => unknown) | undefined {
  if (!is(column, PgCustomColumn)) return undefined;
  return (value) => (value === null ? null : column.mapToDriverValue(value));
}
