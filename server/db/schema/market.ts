import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
} from 'drizzle-orm/pg-core';

const count = (name: string) => bigint(name, { mode: 'number' });

/** A code of a recorded feed, as a first reading found it. */
export interface RecordedCode {
  code: string;
  /** The most decimals that one of its prices has. */
  decimals: number;
  /** Its first price. */
  price: number;
}

/** A recorded feed: what it is and how far it was replayed. */
export const feeds = pgTable('feeds', {
  id: serial().primaryKey(),
  /** SHA-256 of the file. */
  hash: text().notNull().unique(),
  /** In order of appearance: the place, from 1, is the instrument's id. */
  codes: jsonb().$type<RecordedCode[]>().notNull(),
  /** Lines consumed, and the bytes of text that they are. */
  line: count('line').notNull().default(0),
  byte: count('byte').notNull().default(0),
  /** The market's clock there, unix ms. */
  clock: count('clock').notNull(),
  ended: boolean().notNull().default(false),
});

/** Which feed a file was when it was last read in full. */
export const feedFiles = pgTable('feed_files', {
  path: text().primaryKey(),
  size: count('size').notNull(),
  modified: doublePrecision().notNull(),
  feedId: integer('feed_id')
    .notNull()
    .references(() => feeds.id, { onDelete: 'cascade' }),
});

/** What was replayed, folded. Prices are doubles (D1). */
export const bars = pgTable(
  'bars',
  {
    feedId: integer('feed_id')
      .notNull()
      .references(() => feeds.id, { onDelete: 'cascade' }),
    instrumentId: integer('instrument_id').notNull(),
    /** Minutes. */
    period: smallint().notNull(),
    /** Start, unix seconds. */
    time: count('time').notNull(),
    open: doublePrecision().notNull(),
    high: doublePrecision().notNull(),
    low: doublePrecision().notNull(),
    close: doublePrecision().notNull(),
    /** Ticks. */
    volume: doublePrecision().notNull(),
    /** Time of the last tick, unix ms. */
    ticked: count('ticked').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.feedId, table.instrumentId, table.period, table.time] }),
  ],
);

/** Instruments that the operator has closed, by code. */
export const halts = pgTable('halts', {
  code: text().primaryKey(),
});
