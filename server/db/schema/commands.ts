import { sql } from 'drizzle-orm';
import { bigserial, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampMs } from './columns';

/** What has changed orders and money, in the order of the commits, to be played again (server/commands/). It holds no personal data. */
export const commands = pgTable(
  'commands',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: timestampMs('at').notNull(),
    /** Whose; 0: the market's, the clock's, or those of several users. A closed or removed account leaves them, so that there is no reference. */
    userId: integer('user_id').notNull(),
    kind: text().notNull(),
    /** JSON (`encodeDetails`). */
    details: text().notNull(),
  },
  (table) => [
    index('commands_user').on(table.userId),
    // From where commands are played, and what is to be known before.
    index('commands_context').on(table.id).where(sql`${table.kind} in ('base', 'start', 'terms')`),
  ],
);
