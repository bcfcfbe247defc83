import xhr from 'axios/unsafe/adapters/xhr.js';
import type { ForgottenForm, LoginForm } from '#domain/account/rules';
import type { SecondStep } from '#domain/account/security';
import type { CaptchaAnswer } from '#domain/account/settings';
import * as api from '#domain/api/account';
import { basicInfo } from '#domain/api/common';
import {
  readAccountInfo,
  readArea,
  readCaptcha,
  readComplaintEmail,
  readSwitch,
  readUpload,
  readVerification,
} from '#domain/api/read-account';
import { readSession } from '#domain/api/read-user';
import { readRows } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import type {
  PasswordChange,
  Picture,
  Registration,
  VerificationForm,
} from '#domain/gateway/account';
import type { IdempotentRequests } from '../requests/contract';
import type { CallOptions } from './call';
import { captchaParams } from './captcha';
import { type Http, readNothing } from './client';

/** Enough for a few hundred kilobytes over a slow link. */
const UPLOAD_TIMEOUT_MS = toDurationMs(180_000);

/** The calls that only read (protocol.md#account-calls). Failures are shown by the screen that asked. */
export function accountReads(http: Http) {
  const quiet = { quiet: true };
  return {
    info: () => http.get(basicInfo, {}, readAccountInfo, quiet),
    mobile: () => http.get(api.setting, { key: 'is_show_mobile' }, readSwitch, quiet),
    areas: () => http.get(api.areaList, {}, (data) => readRows(data, readArea), quiet),
    captcha: () => http.get(api.captcha, {}, readCaptcha, quiet),
    complaintEmail: () => http.get(api.complaintEmail, {}, readComplaintEmail, quiet),
    verification: () => http.get(api.verificationCenter, {}, readVerification, quiet),
  };
}

export function signIn(
  http: Http,
  { account, password, type }: LoginForm,
  captcha: CaptchaAnswer | undefined,
  second: SecondStep | undefined,
) {
  const step = second && { ticket: second.ticket, otp: second.code };
  const params = { account, password, login_type: type, ...captchaParams(captcha), ...step };
  return http.send(api.login, params, readSession);
}

export function register(http: Http, registration: Registration) {
  const { type, areaId, account, password, repeated, inviteCode, code, captchaId, mobile } =
    registration;
  const params = {
    type,
    area_id: areaId,
    account,
    password,
    re_password: repeated,
    invite_code: inviteCode,
    sms_code: code,
    key: captchaId,
    mobile,
  };
  return http.send(api.register, params, readSession);
}

export function forgetPassword(http: Http, form: ForgottenForm) {
  const { type, account, password, repeated, code } = form;
  const params = {
    type,
    account,
    new_password: password,
    secondary_password: repeated,
    auth_code: code,
  };
  return http.send(api.forgetPassword, params, readNothing);
}

export function amendPassword(http: Http, { type, oldPassword, password, code }: PasswordChange) {
  return http.send(
    api.amendPassword,
    { new_password: password, auth_code: code, type },
    readNothing,
    { optional: { old_password: { old_password: oldPassword } } },
  );
}

export function uploadPicture(
  http: Http,
  { bytes, type }: Picture,
  options: Pick<CallOptions, 'signal' | 'progress'>,
) {
  return http.send(api.uploadPicture, { file: new Blob([bytes], { type }) }, readUpload, {
    timeoutMs: UPLOAD_TIMEOUT_MS,
    // fetch reports no upload progress.
    ...(xhr && { adapter: xhr }),
    ...options,
  });
}

export function submitVerification(
  requests: IdempotentRequests,
  { name, cardId, front, reverse }: VerificationForm,
  key: string,
) {
  const params = { name, card_id: cardId, front_pic: front, reverse_pic: reverse };
  return requests.send(api.submitVerification, params, readNothing, {
    key,
    subject: { kind: 'verification' },
  });
}

/** Fetches the complaint email from a foreign address (protocol.md#complaint-email). */
export async function foreignComplaintEmail(http: Http, url: string): Promise<string | undefined> {
  return readComplaintEmail(await http.plain(url, true));
}
