import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ADDRESS_KINDS, type AddressKind } from '#domain/account/address';
import { CODE_TYPES } from '#domain/account/codes';
import * as api from '#domain/api/account';
import { logout, openDemo, userInfo } from '#domain/api/common';
import type { Read } from '#domain/api/schema';
import * as schemas from '../api/account';
import { session, user } from '../api/common';
import { nothing } from '../api/fields';
import { users } from '../db/schema';
import { anyText, integer, noParams, optional, optionalText } from '../http/params';
import { Refusal } from '../http/refusal';
import { type Call, callerOf, route } from '../http/route';
import { areaRows } from './areas';
import { sendCode } from './codes/sendCode';
import { sendPayoutCode } from './codes/sendPayoutCode';
import { demoAccount } from './demo';
import { deviceName, type LoginOrigin } from './devices';
import { login } from './login';
import type { AccountParts } from './parts';
import { amendPassword, forgetPassword } from './password/newPassword';
import { register } from './register';
import { userRow } from './users';

/** A missing text is read as empty; the form's rule then says what is missing. */
const address = anyText(254).default('');
const password = anyText(1_000).default('');
const code = optionalText(64);
const kind = z.enum(ADDRESS_KINDS);
const areaId = optional(integer, 0);

const captcha = { captcha_id: code, captcha_text: code };

/**
 * Registration, login, codes, passwords, demo accounts and the caller's own session
 * (protocol.md#account-calls).
 */
export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, sessions } = parts;

  route(app, api.areaList, {
    params: noParams,
    data: z.array(schemas.area),
    handler: ({ language }) => areaRows(language),
  });

  route(app, api.captcha, {
    params: noParams,
    data: schemas.captcha,
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
    data: session,
    handler: (call) => register(parts, call.params, originOf(call)),
  });

  route(app, api.login, {
    params: z.object({
      account: address,
      password,
      login_type: kind,
      ticket: code,
      otp: code,
      ...captcha,
    }),
    data: session,
    handler: (call) => login(parts, call.params, originOf(call)),
  });

  route(app, api.forgetPassword, {
    params: z.object({
      type: kind,
      account: address,
      new_password: password,
      secondary_password: password,
      auth_code: code,
    }),
    data: nothing,
    async handler(call) {
      await forgetPassword(parts, call.params, requestOrigin(call));
      return null;
    },
  });

  route(app, api.amendPassword, {
    params: z.object({
      old_password: password,
      new_password: password,
      auth_code: code,
      type: kind,
    }),
    data: nothing,
    async handler(call) {
      await amendPassword(parts, call.params, call.caller, requestOrigin(call));
      return null;
    },
  });

  route(app, openDemo, {
    params: z.object({ demo_id: z.guid().toLowerCase() }),
    data: session,
    async handler(call) {
      const { ip, language, userAgent } = originOf(call);
      const demo = await demoAccount(parts, call.params.demo_id, ip);
      const opened = { device: deviceName(userAgent), language };
      const token = await db.transaction((tx) => sessions.open(tx, demo.id, opened));
      return { token, user: userRow(demo) };
    },
  });

  route(app, userInfo, {
    params: noParams,
    data: user,
    async handler({ caller }) {
      const [found] = await db.select().from(users).where(eq(users.id, caller.userId));
      if (!found) throw Refusal.signedOut();
      return userRow(found);
    },
  });

  route(app, logout, {
    params: noParams,
    data: nothing,
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
