/** The user of the session, and how a session begins and ends (protocol.md#user, protocol.md#login). */
import * as v from 'valibot';
import type { User } from '../account/user';
import { call } from './call';
import { flag, neededText, nothing, optionalFlag, text, whole } from './fields';
import * as params from './params';
import type { Sent } from './schema';

const user = v.pipe(
  v.object({
    id: whole,
    /** The number that users see. */
    uid: text,
    email: text,
    mobile: text,
    /** 1: demo account. */
    is_demo: flag,
    invite_code: text,
    /** 1: a login needs a second factor; may be missing. */
    otp: optionalFlag,
  }),
  v.title('User'),
  v.transform(({ is_demo: demo, invite_code: inviteCode, otp, ...user }): User => {
    return { ...user, demo, inviteCode, ...(otp !== undefined && { secondFactor: otp }) };
  }),
);

/** A user, as it is sent. */
export type UserRow = Sent<typeof user>;

/** What login, register and createAccountDemoForU answer. */
export const session = v.pipe(v.object({ token: neededText, user }), v.title('Session'));

/** A session, as it is sent. */
export type SessionRow = Sent<typeof session>;

export const userInfo = call({
  method: 'GET',
  path: '/api/user/info',
  access: 'user',
  effect: 'reads',
  params: {},
  answer: user,
});

/** Opens the demo account of a device, or finds it again (protocol.md#demo-login). */
export const openDemo = call({
  method: 'GET',
  path: '/api/user/createAccountDemoForU',
  access: 'public',
  effect: 'changes',
  params: { demo_id: params.uuid },
  answer: session,
});

export const logout = call({
  method: 'POST',
  body: 'json',
  path: '/api/user/logout',
  access: 'user',
  effect: 'changes',
  params: {},
  answer: nothing,
});
