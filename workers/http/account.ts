import xhr from 'axios/unsafe/adapters/xhr.js';
import type { ForgottenForm, LoginForm } from '#domain/account/rules';
import type { CodeRequest } from '#domain/account/settings';
import {
  CODE_REGISTER,
  CODE_RESET,
  type RegisterParams,
  type SendCodeParams,
} from '#domain/api/account';
import {
  readAccountInfo,
  readArea,
  readCaptcha,
  readComplaintEmail,
  readSentCode,
  readSwitch,
  readUpload,
  readVerification,
} from '#domain/api/read-account';
import { readSession } from '#domain/api/read-user';
import { readRows } from '#domain/core/read';
import type {
  PasswordChange,
  Picture,
  Registration,
  VerificationForm,
} from '#domain/gateway/account';
import { type Call, type Http, nothing } from './client';
import type { IdempotentRequests } from './idempotentRequests';

/** A picture of a few hundred kilobytes over a slow link. */
const UPLOAD_TIMEOUT_MS = 180_000;

/** What of *Account and common* only reads (§7). The screen that asks shows the failure. */
export function accountReads(http: Http) {
  const quiet = true;
  return {
    info: () => http.get({ path: '/api/basicSet/getBasicInfo', quiet }, readAccountInfo),
    mobile: () =>
      http.get(
        { path: '/api/default/setting', params: { key: 'is_show_mobile' }, quiet },
        readSwitch,
      ),
    areas: () =>
      http.get({ path: '/api/default/area_list', quiet }, (data) => readRows(data, readArea)),
    captcha: () => http.get({ path: '/api/common/captcha', quiet }, readCaptcha),
    complaintEmail: () =>
      http.get({ path: '/api/common/complaint_email', quiet }, readComplaintEmail),
    verification: () => http.get({ path: '/api/user_real/center', quiet }, readVerification),
  };
}

export function signIn(http: Http, { account, password, type }: LoginForm) {
  const form = { account, password, login_type: type };
  return http.send({ method: 'POST', path: '/api/user/loginForU', form }, readSession);
}

export function register(http: Http, registration: Registration) {
  const { type, areaId, account, password, repeated, inviteCode, code, captchaId, mobile } =
    registration;
  const form = {
    type,
    area_id: areaId,
    account,
    password,
    re_password: repeated,
    invite_code: inviteCode,
    sms_code: code,
    key: captchaId,
    mobile,
  } satisfies RegisterParams;
  return http.send({ method: 'POST', path: '/api/user/register', form }, readSession);
}

export function sendCode(http: Http, { type, to, areaId, purpose }: CodeRequest) {
  const path = type === 'email' ? '/api/notify/send_email' : '/api/notify/send_sms';
  const body: SendCodeParams = {
    to,
    area_id: areaId,
    type: purpose === 'register' ? CODE_REGISTER : CODE_RESET,
  };
  return http.send({ method: 'POST', path, body }, readSentCode);
}

export function forgetPassword(http: Http, form: ForgottenForm) {
  const { type, account, password, repeated, code } = form;
  const body = {
    type,
    account,
    new_password: password,
    secondary_password: repeated,
    auth_code: code,
  };
  return http.send({ method: 'POST', path: '/api/user/forget_password', body }, nothing);
}

export function amendPassword(http: Http, { type, password, code }: PasswordChange) {
  const body = { new_password: password, auth_code: code, type };
  return http.send({ method: 'POST', path: '/api/user/amend_password', body }, nothing);
}

export function uploadPicture(
  http: Http,
  { bytes, type }: Picture,
  options: Pick<Call, 'signal' | 'progress'>,
) {
  const call: Call = {
    method: 'POST',
    path: '/api/common/image_upload',
    file: new Blob([bytes], { type }),
    timeoutMs: UPLOAD_TIMEOUT_MS,
    // Without HTTP/2 fetch can't tell how much was sent.
    ...(xhr && { adapter: xhr }),
    ...options,
  };
  return http.send(call, readUpload);
}

export function submitVerification(
  requests: IdempotentRequests,
  { name, cardId, front, reverse }: VerificationForm,
  key: string,
) {
  const body = { name, card_id: cardId, front_pic: front, reverse_pic: reverse };
  return requests.send({ method: 'POST', path: '/api/user_real/real_name', body, key }, nothing);
}

/** An address of somebody else's that knows the complaint email (§7). */
export async function foreignComplaintEmail(http: Http, url: string): Promise<string | undefined> {
  return readComplaintEmail(await http.plain(url, true));
}
