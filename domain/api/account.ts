/** The calls about being a user (protocol.md#account-calls). */
import * as v from 'valibot';
import { ADDRESS_KINDS } from '../account/address';
import { CODE_TYPES } from '../account/codes';
import { readEmail, readPicture, readText } from '../core/read';
import { call } from './call';
import { named, neededText, nothing, picture, readFlag, rows, text, whole } from './fields';
import * as params from './params';
import { lenient, type Read, type Sent, value } from './schema';
import { session } from './user';
import { bindParams, drawParams } from './wallet';

/** Of a verification (domain.md#verification), in the order of their numbers on the wire: 0 not submitted (or rejected), 1 under review, 2 verified. */
const REVIEW_STATUSES = ['none', 'reviewing', 'verified'] as const;

const area = v.pipe(
  v.object({
    id: whole,
    /** ISO 3166, two letters. */
    code: lenient(
      value<string, string>({ type: 'string', minLength: 2, maxLength: 2 }, readText),
      '',
    ),
    /** Digits, as "852". */
    global_code: value<string, string>({ type: 'string', pattern: '^\\d+$' }, (sent) => {
      const digits = readText(sent)?.replace(/^\+|\s/g, '') ?? '';
      return /^\d{1,7}$/.test(digits) ? digits : undefined;
    }),
    /** In the language asked for. */
    name: text,
  }),
  v.title('Area'),
  v.transform(({ id, code, global_code: globalCode, name }) => {
    return { id, code, globalCode, name: name || code || `+${globalCode}` };
  }),
);

/** A calling code, as it is sent. */
export type AreaRow = Sent<typeof area>;

/** A calling code (protocol.md#area). */
export type Area = Read<typeof area>;

/** Areas in the present language, sorted by name (protocol.md#areas). */
export const areaList = call({
  method: 'GET',
  path: '/api/default/area_list',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: rows(area),
});

const dataPicture = value<string, string>(
  { type: 'string', pattern: '^data:image\\/png;base64,' },
  (sent) => {
    const picture = readPicture(sent);
    return picture.startsWith('data:') ? picture : undefined;
  },
);

const captchaPicture = v.pipe(
  v.object({
    id: neededText,
    /** A data URL: only a picture within the answer itself. */
    b64s: dataPicture,
  }),
  v.title('Captcha'),
  v.transform(({ id, b64s: picture }) => ({ id, picture })),
);

/** A captcha. It is valid for one answer, right or wrong. */
export type Captcha = Read<typeof captchaPicture>;

export const captcha = call({
  method: 'GET',
  path: '/api/common/captcha',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: captchaPicture,
});

const code = params.optionalText(64);
const kind = params.choice(ADDRESS_KINDS);
/** Empty where it is missing, as `params.password`. */
const address = params.optional(params.anyText(254), '');

/** A captcha and its text, where the server asks for one by code 428 (protocol.md#captcha). */
const captchaParams = { captcha_id: code, captcha_text: code };

export type CaptchaParams = Read<v.ObjectSchema<typeof captchaParams, undefined>>;

/** A code may be requested again after so many seconds (domain.md#sent-codes). */
const RESEND_SECONDS = 60;
const LONGEST_RESEND = 3600;

const unsaid = { expires_in: 0, retry_after: RESEND_SECONDS };

const sentCode = v.pipe(
  lenient(
    v.object({
      /** Seconds. */
      expires_in: lenient(whole, unsaid.expires_in),
      retry_after: lenient(whole, unsaid.retry_after),
    }),
    unsaid,
  ),
  v.title('SentCode'),
  v.transform(({ retry_after: seconds }) => {
    return { retryAfter: Math.min(Math.max(seconds, 1), LONGEST_RESEND) };
  }),
);

export type SentCodeRow = Sent<typeof sentCode>;

const codeParams = {
  ...captchaParams,
  /** Ignored for a payout, whose code goes to the user's own address. */
  to: address,
  /** Of a mobile number; 0 otherwise. */
  area_id: params.integerOrZero,
  type: params.oneOf(...Object.values(CODE_TYPES)),
  // What a payout's code is for; the other types ignore it.
  ...drawParams,
  ...bindParams,
};

const sending = {
  method: 'POST',
  body: 'json',
  access: 'public',
  effect: 'changes',
  confirms: true,
  params: codeParams,
  answer: sentCode,
} as const;

export const sendSms = call({ ...sending, path: '/api/notify/send_sms' });
export const sendEmail = call({ ...sending, path: '/api/notify/send_email' });

export const register = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/register',
  access: 'public',
  effect: 'changes',
  params: {
    type: kind,
    /** Of a mobile number; 0 otherwise. */
    area_id: params.integerOrZero,
    /** An email address, or global_code + national number. */
    account: address,
    password: params.password,
    re_password: params.password,
    invite_code: code,
    /** The sent code, or the captcha's text. */
    sms_code: code,
    /** The captcha's id, or empty. */
    key: code,
    /** The national number, or empty. */
    mobile: code,
  },
  answer: session,
});

export type RegisterParams = Read<typeof register.params>;

export const login = call({
  method: 'POST',
  body: 'form',
  path: '/api/user/loginForU',
  access: 'public',
  effect: 'changes',
  params: {
    account: address,
    password: params.password,
    login_type: kind,
    /** After code 427: its ticket, with a code of the app or a recovery code. */
    ticket: code,
    otp: code,
    ...captchaParams,
  },
  answer: session,
});

export type LoginParams = Read<typeof login.params>;

/** Sets a new password with a sent code. Ends all sessions of the user. */
export const forgetPassword = call({
  method: 'POST',
  body: 'json',
  path: '/api/user/forget_password',
  access: 'public',
  effect: 'changes',
  confirms: true,
  params: {
    type: kind,
    account: address,
    new_password: params.password,
    secondary_password: params.password,
    auth_code: code,
  },
  answer: nothing,
});

export type ForgetPasswordParams = Read<typeof forgetPassword.params>;

/** Changes the password of the logged-in user (protocol.md#passwords). */
export const amendPassword = call({
  method: 'POST',
  body: 'json',
  path: '/api/user/amend_password',
  access: 'real',
  effect: 'changes',
  paramFeatures: { old_password: 'old_password' },
  confirms: true,
  params: {
    old_password: params.password,
    new_password: params.password,
    auth_code: code,
    /** Which of the user's own addresses the code was sent to. */
    type: kind,
  },
  answer: nothing,
});

export type AmendPasswordParams = Read<typeof amendPassword.params>;

const upload = v.pipe(
  v.object({ url: neededText }),
  v.title('Upload'),
  v.transform(({ url }) => url),
);

export const uploadPicture = call({
  method: 'POST',
  body: 'file',
  path: '/api/common/image_upload',
  access: 'user',
  effect: 'changes',
  params: { file: params.file },
  answer: upload,
});

const trimmed = (max: number) =>
  v.pipe(
    params.optionalText(max),
    v.transform((text) => text.trim()),
  );

/** The address of an upload, signed or expired. */
const pictureUrl = params.optionalText(500);

export const submitVerification = call({
  method: 'POST',
  body: 'json',
  path: '/api/user_real/real_name',
  access: 'real',
  effect: 'once',
  request: 'verification',
  confirms: true,
  params: {
    name: trimmed(400),
    card_id: trimmed(100),
    front_pic: pictureUrl,
    reverse_pic: pictureUrl,
  },
  answer: nothing,
});

export type RealNameParams = Read<typeof submitVerification.params>;

const verification = v.pipe(
  v.object({
    review_status: named(REVIEW_STATUSES),
    // Empty texts where nothing was submitted.
    name: text,
    card_id: text,
    /** Addresses of the photos, valid for five minutes (protocol.md#uploads). */
    front_pic: picture,
    reverse_pic: picture,
    /** Why the last one was rejected; empty where none was, and on servers that don't say. */
    reason: text,
  }),
  v.title('VerificationCenter'),
  v.transform((row) => ({
    status: row.review_status,
    name: row.name,
    cardId: row.card_id,
    front: row.front_pic,
    reverse: row.reverse_pic,
    reason: row.reason,
  })),
);

export type VerificationRow = Sent<typeof verification>;

/** What the user submitted and the result of the review (protocol.md#verification-center). */
export type Verification = Read<typeof verification>;

/** The state of the user's verification (protocol.md#verification). */
export const verificationCenter = call({
  method: 'GET',
  path: '/api/user_real/center',
  access: 'real',
  effect: 'reads',
  params: {},
  answer: verification,
});

/** A switch: whether its value is 1. */
const switched = v.pipe(
  v.object({
    key: text,
    value: value<string, boolean>({ type: 'string' }, readFlag),
  }),
  v.title('Setting'),
  v.transform(({ value }) => value),
);

export const setting = call({
  method: 'GET',
  path: '/api/default/setting',
  access: 'public',
  effect: 'reads',
  params: { key: params.text() },
  answer: switched,
});

const complaints = v.pipe(
  v.object({ email: value<string, string>({ type: 'string' }, readEmail) }),
  v.title('ComplaintEmail'),
  v.transform(({ email }) => email),
);

export const complaintEmail = call({
  method: 'GET',
  path: '/api/common/complaint_email',
  access: 'public',
  effect: 'reads',
  params: {},
  answer: complaints,
});
