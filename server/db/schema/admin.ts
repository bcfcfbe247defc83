import { index, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { timestampMs } from './columns';

/** What operators have done, the audit log of `npm run admin` (D155). Only the reasons end, with the account. */
export const adminActions = pgTable(
  'desk_actions',
  {
    id: serial().primaryKey(),
    at: timestampMs('at').notNull(),
    /** As the operator named themselves; empty where that was not recorded yet. */
    operator: text().notNull(),
    /** The command, as `approve` or `market close`. */
    action: text().notNull(),
    /** On what: `deposit 5`, the code of an instrument. Empty where it is the user. */
    subject: text().notNull().default(''),
    /** The number that users see, which outlives the account; empty where no user is concerned. */
    uid: text().notNull().default(''),
    reason: text().notNull().default(''),
    result: text().notNull(),
  },
  (table) => [index('desk_actions_user').on(table.uid, table.id)],
);
