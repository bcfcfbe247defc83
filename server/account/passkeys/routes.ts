import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as api from '#domain/api/security';
import { users } from '../../db/schema';
import { CODE_REFUSED, Refusal } from '../../http/refusal';
import { type Caller, route } from '../../http/route';
import { deviceName } from '../devices';
import { openSession } from '../openSession';
import type { AccountParts } from '../parts';
import { checkPassword } from '../password/checkPassword';
import type { UserRecord } from '../users';
import type { PasskeyRecord } from './passkeys';

/** The calls of passkeys (protocol.md#passkeys). */
export function passkeyRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, transactions, passkeys, relyingParty, limits, notices, actions } = parts;

  const userOf = async ({ userId }: Caller): Promise<UserRecord> => {
    const [user] = await db.select().from(users).where(eq(users.id, userId));
    if (!user) throw Refusal.signedOut();
    return user;
  };

  /** Throws a Refusal where no passkey can be used at the address of the page. */
  const originsOf = (request: FastifyRequest): string[] => {
    const origins = relyingParty.originsOf(request);
    if (origins.length === 0) throw new Refusal(CODE_REFUSED, 'server.passkeyAddress');
    return origins;
  };

  route(app, api.passkeyList, {
    handler: async ({ caller }) => (await passkeys.list(caller.userId)).map(rowOf),
  });

  route(app, api.passkeyOptions, {
    async handler({ params, caller, request }) {
      originsOf(request);
      const user = await userOf(caller);
      await proveAgain(parts, user, caller, params, request.countedAddress);
      return { ...(await passkeys.creationOptions(user, caller.sessionId)) };
    },
  });

  route(app, api.addPasskey, {
    async handler({ params, caller, request, language }) {
      const origins = originsOf(request);
      const given = await passkeys.verifyNew(params.response, caller.sessionId, origins);
      const user = await userOf(caller);
      const name = params.name.trim() || deviceName(request.headers['user-agent'] ?? '');
      const added = await transactions.run(async (work) => {
        const row = await passkeys.add(work, user.id, name, given);
        await actions.record(
          work.tx,
          BY_USER,
          { ...changeOf(row, user), action: 'passkey add' },
          'added.',
        );
        await notices.send(work, user.id, language, { kind: 'passkeyOn', passkey: row.name });
        return row;
      });
      return rowOf(added);
    },
  });

  route(app, api.deletePasskey, {
    async handler({ params, caller, request, language }) {
      const user = await userOf(caller);
      await proveAgain(parts, user, caller, params, request.countedAddress);
      await transactions.run(async (work) => {
        const row = await passkeys.remove(work, user.id, params.id);
        await actions.record(
          work.tx,
          BY_USER,
          { ...changeOf(row, user), action: 'passkey remove' },
          'removed.',
        );
        await notices.send(work, user.id, language, { kind: 'passkeyOff', passkey: row.name });
      });
      return null;
    },
  });

  route(app, api.passkeyLoginOptions, {
    async handler({ request }) {
      originsOf(request);
      return { ...(await passkeys.requestOptions()) };
    },
  });

  route(app, api.passkeyLogin, {
    handler({ params, request, language }) {
      const origins = originsOf(request);
      const ip = request.countedAddress;
      const userAgent = request.headers['user-agent'] ?? '';
      return limits.limitNetwork(ip, async () => {
        const given = await passkeys.verifyLogin(params.response, origins);
        return transactions.run(async (work) => {
          await passkeys.spend(work, given);
          const [user] = await work.tx
            .select()
            .from(users)
            .where(eq(users.id, given.passkey.userId));
          if (!user) throw Refusal.signedOut();
          return openSession(parts, work, user, { ip, language, userAgent });
        });
      });
    },
  });
}

/** Who has changed a passkey, in the audit log. */
const BY_USER = { name: 'the user', confirmed: true };

function changeOf({ id }: PasskeyRecord, user: UserRecord) {
  return { subject: `passkey ${id}`, user };
}

/**
 * Throws a Refusal where users don't prove anew who they are, so that a stolen session changes no passkey: by the password and,
 * as a passkey stands for both, by the second factor where there is one. A session that began with that factor needs no password; any
 * other may have enrolled it (D171).
 */
async function proveAgain(
  parts: AccountParts,
  user: UserRecord,
  { sessionId }: Caller,
  { password, otp }: { password: string; otp: string },
  ip: string,
): Promise<void> {
  const { db, transactions, secondFactors } = parts;
  if (!user.secondFactor) return checkPassword(parts, user.id, password, ip);
  if (otp === '') throw new Refusal(CODE_REFUSED, 'server.otpNeeded');
  if (password !== '' || !(await secondFactors.isOlder(db, user.id, sessionId))) {
    await checkPassword(parts, user.id, password, ip);
  }
  await transactions.run(({ tx }) => secondFactors.spend(tx, user.id, otp, { ip }));
}

function rowOf({ id, name, createdAt, usedAt }: PasskeyRecord) {
  const times = { created_at: createdAt.toISOString(), used_at: usedAt?.toISOString() ?? '' };
  return { id, name, ...times };
}
