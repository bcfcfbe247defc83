/** The second factor of a login, passkeys, devices, and a user's own data (protocol.md#second-factor, protocol.md#passkeys, protocol.md#sessions). */
import * as v from 'valibot';
import { LONGEST_PASSKEY_NAME } from '../account/rules';
import { readFields, readText } from '../core/read';
import { call } from './call';
import { flag, neededText, nothing, optionalTime, rows, text, time, whole } from './fields';
import * as params from './params';
import { lenient, type Read, value } from './schema';
import { session } from './user';

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

/** Answers recovery codes: each is valid once, instead of a code of the app. None where they can't be read (protocol.md#answers). */
export const otpConfirm = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/otp_confirm',
  access: 'real',
  effect: 'changes',
  feature: 'otp',
  params: { otp },
  answer: lenient(recovery, []),
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

const passkey = v.pipe(
  v.object({
    id: whole,
    name: text,
    created_at: time,
    /** The last login; empty where there was none. */
    used_at: optionalTime,
  }),
  v.title('Passkey'),
  v.transform(({ id, name, created_at: createdAt, used_at: usedAt }) => {
    return { id, name, createdAt, usedAt };
  }),
);

/** A passkey of the user. */
export type Passkey = Read<typeof passkey>;

/** The oldest comes first. */
export const passkeyList = call({
  method: 'GET',
  path: '/api/user/passkeys',
  access: 'real',
  effect: 'reads',
  feature: 'passkeys',
  params: {},
  answer: rows(passkey),
});

/** Base64url without padding, of so many characters. */
const base64url = (max: number) => v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(max));

/** More than any authenticator sends. */
const LONGEST_BYTES = 30_000;
const sentBytes = base64url(LONGEST_BYTES);

/** WebAuthn's options as JSON: what is not named here is passed on to the browser. */
const creationOptions = v.pipe(
  v.looseObject({
    challenge: sentBytes,
    rp: v.object({ id: v.exactOptional(v.string()), name: v.string() }),
    user: v.object({ id: sentBytes, name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
  }),
  v.title('PasskeyCreationOptions'),
);

const requestOptions = v.pipe(
  v.looseObject({ challenge: sentBytes, rpId: v.exactOptional(v.string()) }),
  v.title('PasskeyRequestOptions'),
);

/** What all of these but the list have. */
const passkeyCall = {
  method: 'POST',
  body: 'json',
  effect: 'changes',
  feature: 'passkeys',
} as const;

/** Who changes passkeys gives the password again and, where a login needs one, a code of the second factor (D171). */
const proof = { password: params.password, otp };

/** What a browser needs to make a passkey; good for five minutes and this session. */
export const passkeyOptions = call({
  ...passkeyCall,
  path: '/api/user/passkey_options',
  access: 'real',
  params: proof,
  answer: creationOptions,
});

/** A credential's id has up to 1,023 bytes. */
const credential = {
  id: base64url(1_364),
  rawId: base64url(1_364),
  type: v.literal('public-key'),
};

export const addPasskey = call({
  ...passkeyCall,
  path: '/api/user/passkey_add',
  access: 'real',
  params: {
    /** WebAuthn's answer to the options, as JSON; other fields are ignored. */
    response: v.object({
      ...credential,
      response: v.object({
        clientDataJSON: sentBytes,
        attestationObject: sentBytes,
        transports: v.exactOptional(
          v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,32}$/))), v.maxLength(16)),
        ),
      }),
    }),
    /** Empty: browser and system. */
    name: params.optionalText(LONGEST_PASSKEY_NAME),
  },
  // Saved all the same where its row can't be read (protocol.md#answers).
  answer: lenient(passkey, null),
});

export const deletePasskey = call({
  ...passkeyCall,
  path: '/api/user/passkey_del',
  access: 'real',
  params: { id: params.id, ...proof },
  answer: nothing,
});

/** What a browser needs to ask for a passkey; the same for everybody. */
export const passkeyLoginOptions = call({
  ...passkeyCall,
  path: '/api/user/passkey_login_options',
  access: 'public',
  params: {},
  answer: requestOptions,
});

export const passkeyLogin = call({
  ...passkeyCall,
  path: '/api/user/passkey_login',
  access: 'public',
  params: {
    /** WebAuthn's answer to the options, as JSON; other fields are ignored. */
    response: v.object({
      ...credential,
      response: v.object({
        clientDataJSON: sentBytes,
        authenticatorData: sentBytes,
        signature: sentBytes,
        /** Missing where the authenticator keeps no passkeys: it logs nobody in. */
        userHandle: v.exactOptional(base64url(88)),
      }),
    }),
  },
  answer: session,
});
