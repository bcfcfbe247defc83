import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { AddressKind } from '#domain/account/address';
import { CODE_TYPES } from '#domain/account/codes';
import * as api from '#domain/api/account';
import type { Read } from '#domain/api/schema';
import { logout, openDemo, userInfo } from '#domain/api/user';
import { users } from '../db/schema';
import { Refusal } from '../http/refusal';
import { type Call, callerOf, route } from '../http/route';
import { areaRows } from './areas';
import { sendCode, sendPayoutCode } from './codes/sendCode';
import { demoAccount } from './demo';
import { deviceName, type LoginOrigin } from './devices';
import { login } from './login';
import type { AccountParts } from './parts';
import { amendPassword, forgetPassword } from './password/newPassword';
import { register } from './register';
import { userRow } from './users';

/**
 * Registration, login, codes, passwords, demo accounts and the caller's own session
 * (protocol.md#account-calls).
 */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, sessions } = parts;

  route(app, api.areaList, {
    handler: ({ language }) => areaRows(language),
  });

  route(app, api.captcha, {
    async handler({ request }) {
      parts.limits.takeCaptcha(request.countedAddress);
      const { id, picture } = await parts.captchas.make();
      return { id, b64s: `data:image/png;base64,${picture.toString('base64')}` };
    },
  });

  const send = async (type: AddressKind, call: Call<Read<typeof api.sendSms.params>, 'public'>) => {
    const { params, request } = call;
    if (params.type !== CODE_TYPES.payout)
      return sendCode(parts, type, params, requestOrigin(call));
    const caller = await callerOf(app, request, 'real');
    return sendPayoutCode(parts, type, params, caller, requestOrigin(call));
  };

  route(app, api.sendSms, { handler: (call) => send('mobile', call) });
  route(app, api.sendEmail, { handler: (call) => send('email', call) });

  route(app, api.register, {
    handler: (call) => register(parts, call.params, originOf(call)),
  });

  route(app, api.login, {
    handler: (call) => login(parts, call.params, originOf(call)),
  });

  route(app, api.forgetPassword, {
    async handler(call) {
      await forgetPassword(parts, call.params, requestOrigin(call));
      return null;
    },
  });

  route(app, api.amendPassword, {
    async handler(call) {
      await amendPassword(parts, call.params, call.caller, requestOrigin(call));
      return null;
    },
  });

  route(app, openDemo, {
    async handler(call) {
      const { ip, language, userAgent } = originOf(call);
      const demo = await demoAccount(parts, call.params.demo_id, ip);
      const opened = { device: deviceName(userAgent), language };
      let committed = () => {};
      const onCommit = (effect: () => void) => {
        committed = effect;
      };
      // No unit of work: it waits for no order.
      const token = await db.transaction((tx) => sessions.open({ tx, onCommit }, demo.id, opened));
      committed();
      return { token, user: userRow(demo) };
    },
  });

  route(app, userInfo, {
    async handler({ caller }) {
      const [found] = await db.select().from(users).where(eq(users.id, caller.userId));
      if (!found) throw Refusal.signedOut();
      return userRow(found);
    },
  });

  route(app, logout, {
    async handler({ caller }) {
      await sessions.end(caller.sessionId);
      return null;
    },
  });
}

function originOf(call: Pick<Call<unknown>, 'request' | 'language'>): LoginOrigin {
  return { ...requestOrigin(call), userAgent: call.request.headers['user-agent'] ?? '' };
}

function requestOrigin({ request, language }: Pick<Call<unknown>, 'request' | 'language'>) {
  return { ip: request.countedAddress, language };
}
