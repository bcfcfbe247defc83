import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SessionRow, UserRow } from '#domain/api/account';
import type { UnixMs } from '#domain/core/units';
import type { Db } from '../db/open';
import { users } from '../db/schema';
import { Refusal } from '../http/refusal';
import { route } from '../http/route';
import type { Changes } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import { demoAccount } from './demo';
import { userRow } from './rows';
import type { Sessions } from './sessions';

export interface AccountParts {
  db: Db;
  changes: Changes;
  ledger: Ledger;
  sessions: Sessions;
  now(): UnixMs;
}

/** The calls of *Account and common* that are about one's own session. */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, changes, ledger, sessions, now } = parts;

  route(app, {
    method: 'GET',
    url: '/api/user/createAccountDemoForU',
    params: z.object({ demo_id: z.guid().toLowerCase() }),
    changes: true,
    handler: ({ params }): Promise<SessionRow> =>
      changes.run(async (work) => {
        const user = await demoAccount(work, ledger, params.demo_id, now());
        return { token: await sessions.open(work.tx, user.id), user: userRow(user) };
      }),
  });

  route(app, {
    method: 'GET',
    url: '/api/user/info',
    auth: true,
    async handler({ caller }): Promise<UserRow> {
      const [user] = await db.select().from(users).where(eq(users.id, caller.userId));
      if (!user) throw Refusal.signedOut();
      return userRow(user);
    },
  });

  route(app, {
    method: 'POST',
    url: '/api/user/logout',
    auth: true,
    changes: true,
    async handler({ caller }): Promise<null> {
      await sessions.end(caller.sessionId);
      return null;
    },
  });
}
