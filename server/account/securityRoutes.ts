import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/security';
import { sessions as sessionTable, users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import { originOf } from '../uploads/routes';
import { closeAccount } from './closing/closeAccount';
import { personalData } from './closing/personalData';
import type { AccountParts } from './parts';
import { checkPassword } from './password/checkPassword';
import type { UserRecord } from './users';

/** The second factor, devices, and the user's own data (protocol.md#second-factor, protocol.md#sessions). */
export function securityRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, transactions, sessions, secondFactors, notices } = parts;

  const ofUser = <T>(
    { userId }: { userId: number },
    job: (work: UnitOfWork, user: UserRecord) => Promise<T>,
  ) =>
    transactions.run(async (work) => {
      const [user] = await work.tx.select().from(users).where(eq(users.id, userId));
      if (!user) throw Refusal.signedOut();
      return job(work, user);
    });

  route(app, api.otpEnrol, {
    handler: ({ caller }) => ofUser(caller, (work, user) => secondFactors.enrol(work, user)),
  });

  route(app, api.otpConfirm, {
    handler: ({ params, caller, language, request }) =>
      ofUser(caller, async (work, user) => {
        const attempt = { ip: request.countedAddress };
        const recovery = await secondFactors.confirm(work, user, params.otp, attempt);
        await notices.send(work, user.id, language, { kind: 'otpOn' });
        return { recovery };
      }),
  });

  route(app, api.otpRemove, {
    handler: ({ params, caller, language, request }) =>
      ofUser(caller, async (work, user) => {
        const attempt = { ip: request.countedAddress };
        await secondFactors.remove(work, user, params.otp, attempt);
        await notices.send(work, user.id, language, { kind: 'otpOff' });
        return null;
      }),
  });

  route(app, api.deviceList, {
    async handler({ caller }) {
      const open = await sessions.list(caller.userId);
      return open.map(({ id, device, createdAt, usedAt }) => ({
        id,
        device,
        created_at: new Date(createdAt).toISOString(),
        used_at: new Date(usedAt).toISOString(),
        current: id === caller.sessionId ? 1 : 0,
      }));
    },
  });

  route(app, api.endSession, {
    async handler({ params, caller }) {
      const { userId, sessionId } = caller;
      if (params.others === 1) {
        await transactions.run((work) => sessions.endAll(work, userId, sessionId));
        return null;
      }
      const own = and(eq(sessionTable.id, params.id), eq(sessionTable.userId, userId));
      const [found] = await db.select({ id: sessionTable.id }).from(sessionTable).where(own);
      if (!found) throw new Refusal(CODE_REFUSED, 'server.sessionUnknown');
      await sessions.end(found.id);
      return null;
    },
  });

  route(app, api.exportData, {
    async handler({ params, caller, request }) {
      await checkPassword(parts, caller.userId, params.password, request.countedAddress);
      return personalData(parts, caller.userId, originOf(request));
    },
  });

  route(app, api.closeAccount, {
    async handler({ params, caller, request, language }) {
      await checkPassword(parts, caller.userId, params.password, request.countedAddress);
      await transactions.run((work) => closeAccount(parts, work, caller.userId, language));
      return null;
    },
  });
}
