/** The second factor of a login, devices, and a user's own data (protocol.md#second-factor, protocol.md#sessions). */
import * as v from 'valibot';
import { readFields, readText } from '../core/read';
import { call } from './call';
import { flag, neededText, nothing, rows, text, time, whole } from './fields';
import * as params from './params';
import { type Read, value } from './schema';

const enrolment = v.pipe(
  v.object({
    /** Base32, to type into an authenticator app. */
    secret: neededText,
    /** otpauth://, as a QR code. */
    uri: value<string, string>({ type: 'string' }, (sent) => {
      const uri = readText(sent);
      return uri?.startsWith('otpauth://totp/') ? uri : undefined;
    }),
  }),
  v.title('Enrolment'),
);

/** A secret for an authenticator app. */
export type Enrolment = Read<typeof enrolment>;

/** Makes a secret, in use once it is confirmed. */
export const otpEnrol = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_enrol',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
  params: {},
  answer: enrolment,
});

/** A code of the app, or a recovery code where a second factor is asked for. */
const otp = params.optionalText(64);

const recovery = v.pipe(
  v.object({ recovery: rows(neededText) }),
  v.title('Recovery'),
  v.transform(({ recovery }) => recovery),
);

/** Answers recovery codes: each is valid once, instead of a code of the app. */
export const otpConfirm = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_confirm',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
  params: { otp },
  answer: recovery,
});

export const otpRemove = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_remove',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
  confirms: true,
  params: { otp },
  answer: nothing,
});

const device = v.pipe(
  v.object({
    /** Of its session. */
    id: whole,
    /** Browser and system, as "Chrome, Android"; may be empty. */
    device: text,
    created_at: time,
    used_at: time,
    /** 1: of this session. */
    current: flag,
  }),
  v.title('Device'),
  v.transform(({ id, device: name, created_at: createdAt, used_at: usedAt, current }) => {
    return { id, name, createdAt, usedAt, current };
  }),
);

/** A device where the user is logged in. */
export type Device = Read<typeof device>;

/** The last used comes first. */
export const deviceList = call({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  effect: 'reads',
  feature: 'sessions',
  params: {},
  answer: rows(device),
});

export const endSession = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/session_end',
  access: 'user',
  effect: 'changes',
  feature: 'sessions',
  confirms: true,
  params: {
    id: params.integerOrZero,
    /** 1: all but the caller's own; otherwise the one of `id`. */
    others: params.integerOrZero,
  },
  answer: nothing,
});

/** Tables by name, read as the text of a file. */
const personalData = value<Record<string, unknown>, string>(
  {
    title: 'PersonalData',
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {},
  },
  (sent) => readFields(sent) && JSON.stringify(sent, undefined, 2),
);

export const exportData = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/export',
  access: 'real',
  effect: 'changes',
  feature: 'sessions',
  params: { password: params.password },
  answer: personalData,
});

/** Closes the account permanently (domain.md#closing-an-account). */
export const closeAccount = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/close_account',
  access: 'real',
  effect: 'changes',
  feature: 'sessions',
  confirms: true,
  params: { password: params.password },
  answer: nothing,
});
