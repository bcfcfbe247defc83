import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ADDRESS_KINDS } from '#domain/account/address';
import type { SessionRow, UserRow } from '#domain/api/account';
import { type CaptchaRow, CODE_REGISTER, CODE_RESET } from '#domain/api/account';
import { users } from '../db/schema';
import { integer, oneOf, optional, optionalText } from '../http/params';
import { Refusal } from '../http/refusal';
import { type Call, route } from '../http/route';
import { areaRows } from './areas';
import { sendCode } from './codes/sendCode';
import { demoAccount } from './demo';
import { login } from './login';
import type { AccountParts } from './parts';
import { amendPassword, forgetPassword } from './password/newPassword';
import { register } from './register';
import { userRow } from './users';

/** Missing texts are empty: then a rule says, in words, what is missing. */
const address = optionalText(254);
const password = optionalText(1_000);
const code = optionalText(64);
const kind = z.enum(ADDRESS_KINDS);
const areaId = optional(integer, 0);

const sending = z.object({
  to: address,
  area_id: areaId,
  type: oneOf(CODE_REGISTER, CODE_RESET),
});

/** Registration, login, codes, passwords, demo accounts and one's own session (docs/protocol.md#account-calls). */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, transactions, ledger, sessions, now } = parts;

  route(app, {
    method: 'GET',
    url: '/api/default/area_list',
    handler: ({ language }) => areaRows(language),
  });

  route(app, {
    method: 'GET',
    url: '/api/common/captcha',
    async handler({ request }): Promise<CaptchaRow> {
      parts.guard.takeCaptcha(request.ip);
      const { id, picture } = await parts.captchas.make();
      return { id, b64s: `data:image/png;base64,${picture.toString('base64')}` };
    },
  });

  for (const [url, type] of [
    ['/api/notify/send_sms', 'mobile'],
    ['/api/notify/send_email', 'email'],
  ] as const) {
    route(app, {
      method: 'POST',
      url,
      params: sending,
      changes: true,
      handler: (call) => sendCode(parts, type, call.params, asker(call)),
    });
  }

  route(app, {
    method: 'POST',
    url: '/api/user/register',
    params: z.object({
      type: kind,
      area_id: areaId,
      account: address,
      password,
      re_password: password,
      invite_code: code,
      sms_code: code,
      key: code,
      mobile: code,
    }),
    changes: true,
    handler: ({ params, request }) => register(parts, params, request.ip),
  });

  route(app, {
    method: 'POST',
    url: '/api/user/loginForU',
    params: z.object({ account: address, password, login_type: kind }),
    changes: true,
    handler: ({ params, request }) => login(parts, params, request.ip),
  });

  route(app, {
    method: 'POST',
    url: '/api/user/forget_password',
    params: z.object({
      type: kind,
      account: address,
      new_password: password,
      secondary_password: password,
      auth_code: code,
    }),
    changes: true,
    handler: (call) => forgetPassword(parts, call.params, asker(call)),
  });

  route(app, {
    method: 'POST',
    url: '/api/user/amend_password',
    params: z.object({ new_password: password, auth_code: code, type: kind }),
    auth: true,
    account: 'real',
    changes: true,
    handler: (call) => amendPassword(parts, call.params, call.caller, asker(call)),
  });

  route(app, {
    method: 'GET',
    url: '/api/user/createAccountDemoForU',
    params: z.object({ demo_id: z.guid().toLowerCase() }),
    changes: true,
    handler: ({ params }): Promise<SessionRow> =>
      transactions.run(async (work) => {
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

function asker({ request, language }: Call<unknown, boolean>) {
  return { ip: request.ip, language };
}
