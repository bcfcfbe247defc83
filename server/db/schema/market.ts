import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
} from 'drizzle-orm/pg-core';

const count = (name: string) => bigint(name, { mode: 'number' });

/** A code of a recorded feed, from the first reading of the file. */
export interface RecordedCode {
  code: string;
  /** The most decimals of its prices. */
  decimals: number;
  /** Its first price. */
  price: number;
  /** Of a recorded one: its last line at the position has a price of 0 or less. */
  withoutPrice?: true;
  /** Of a live code: whose prices were told last. */
  told?: ToldBy;
}

/** Where the prices of a live code came from. */
export interface ToldBy {
  /** The exchange, by its name on the command line. */
  exchange: string;
  /** The newest minute in which prices of two exchanges were told, unix s; 0 where there is none. */
  shared: number;
}

/** The seed of the simulated market, one row: whoever knows it can compute all future prices. */
export const marketSeeds = pgTable('market_seeds', { seed: text().primaryKey() });

/** A recorded feed and how far it was replayed. */
export const feeds = pgTable('feeds', {
  id: serial().primaryKey(),
  /** SHA-256 of the file. */
  hash: text().notNull().unique(),
  /** In order of appearance; the position, from 1, is the instrument's id. */
  codes: jsonb().$type<RecordedCode[]>().notNull(),
  /** Lines that were replayed, and their bytes. */
  line: count('line').notNull().default(0),
  byte: count('byte').notNull().default(0),
  /** The market's clock at that position, unix ms. */
  clock: count('clock').notNull(),
  ended: boolean().notNull().default(false),
});

/** The feed that a file contained when it was last read completely. */
export const feedFiles = pgTable(
  'feed_files',
  {
    path: text().primaryKey(),
    size: count('size').notNull(),
    modified: doublePrecision().notNull(),
    feedId: integer('feed_id')
      .notNull()
      .references(() => feeds.id, { onDelete: 'cascade' }),
  },
  (table) => [index('feed_files_feed').on(table.feedId)],
);

/** Bars of the replayed ticks. Prices are doubles (D1). */
export const bars = pgTable(
  'bars',
  {
    feedId: integer('feed_id')
      .notNull()
      .references(() => feeds.id, { onDelete: 'cascade' }),
    instrumentId: integer('instrument_id').notNull(),
    /** Length in minutes. */
    period: smallint().notNull(),
    /** Start, unix seconds. */
    time: count('time').notNull(),
    open: doublePrecision().notNull(),
    high: doublePrecision().notNull(),
    low: doublePrecision().notNull(),
    close: doublePrecision().notNull(),
    /** Number of ticks. */
    volume: doublePrecision().notNull(),
    /** Time of the last tick, unix ms. */
    ticked: count('ticked').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.feedId, table.instrumentId, table.period, table.time] }),
  ],
);

/** Codes of instruments that the operator has closed. */
export const halts = pgTable('halts', {
  code: text().primaryKey(),
});
