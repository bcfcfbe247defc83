import { and, desc, eq } from 'drizzle-orm';
import { escapeControls } from '#domain/core/text';
import { type AdminCommand, BadCommand, refuseElsewhere, table } from '../admin/commands';
import type { Db } from '../db/database';
import { clientErrors, releases } from '../db/schema';

const MOST_LISTED = 100;

/** `errors`: what clients have reported, the most frequent first, the newest release first; `errors FINGERPRINT`: one of them. */
export function errorsCommand(db: Db, shard: number): AdminCommand {
  return {
    name: 'errors',
    async run(_operator, [fingerprint]) {
      refuseElsewhere(shard, 'errors');
      const rows = await db
        .select()
        .from(clientErrors)
        .innerJoin(releases, eq(releases.release, clientErrors.release))
        .where(
          and(fingerprint === undefined ? undefined : eq(clientErrors.fingerprint, fingerprint)),
        )
        .orderBy(desc(releases.firstServedAt), desc(clientErrors.count))
        .limit(MOST_LISTED);
      const found = rows.map((row) => row.client_errors);
      if (fingerprint !== undefined) {
        if (found.length === 0) throw new BadCommand(`There is no error ${fingerprint}.`);
        return found.map(described).join('\n\n');
      }
      const lines = found.map(({ release, fingerprint, count, lastAt, sample }) =>
        [release, fingerprint, `${count}×`, lastAt.toISOString(), sample.message, sample.stack[0]]
          .map((word) => escapeControls(word ?? ''))
          .join('  '),
      );
      return lines.join('\n') || 'No client has reported an error.';
    },
  };
}

function described({ release, count, firstAt, lastAt, sample }: typeof clientErrors.$inferSelect) {
  const { message, screen, engine, stack } = sample;
  const [first = '', ...others] = stack;
  return table({
    error: message,
    release,
    count: `${count}`,
    first: firstAt.toISOString(),
    last: lastAt.toISOString(),
    screen,
    engine,
    at: first,
    ...Object.fromEntries(others.map((place, index) => [`by ${index + 1}`, place])),
  });
}
