import type { User } from '#domain/account/user';
import { type Confirmed, type Done, type Result, success } from '#domain/core/result';
import type { AccountGateway } from '#domain/gateway/account';
import type { GatewayEvent } from '#domain/gateway/gateway';
import type { Storage } from '../core/ports';
import * as calls from '../http/account';
import type { Http } from '../http/client';
import { showSuccess } from '../http/notices';
import { securityCalls } from '../http/security';
import type { IdempotentRequests } from '../requests/contract';
import { createDemoLogin } from './demoLogin';
import { createUploads, type UploadsChanged } from './uploads';

/** Calls whose code is loaded by the first of them. */
export type AccountCalls = Omit<
  AccountGateway,
  'signOut' | 'verificationDraft' | 'saveVerificationDraft'
>;

export interface CallsOptions {
  http: Http;
  storage: Storage;
  requests: IdempotentRequests;
  /** Resolves once the token of the last visit was read. */
  ready: Promise<void>;
  emit: (event: GatewayEvent) => void;
  /** A login or registration has returned a token and its user. */
  signedIn: (session: { token: string; user: User }) => void;
  /** Another address that returns the complaint email where the server has none (protocol.md#complaint-email); empty: none. */
  complaintUrl: () => string;
  /** Fields of the user have changed. */
  userChanged: (change: Partial<User>) => void;
  /** The account is closed. */
  signedOut: () => void;
  uploadsChanged: UploadsChanged;
  /** The verification was submitted. */
  forgetDraft: () => Promise<void>;
}

/** Registration, login, passwords, verification. */
export function createAccountCalls(options: CallsOptions): {
  calls: AccountCalls;
  /** Cancels all uploads. */
  cancelUploads: () => void;
} {
  const { http, storage, requests, emit, signedIn } = options;
  const reads = calls.accountReads(http);
  const security = securityCalls(http);
  const uploads = createUploads(http, options.uploadsChanged);

  async function enter(
    sent: Promise<Result<Confirmed<{ token: string; user: User }>>>,
  ): Promise<Result<User>> {
    const result = await sent;
    if (!result.ok) return result;
    signedIn(result.data.data);
    return success(result.data.data.user);
  }

  async function done(sent: Promise<Result<Done<null>>>): Promise<Result<Confirmed<void>>> {
    const result = await showSuccess(emit, sent);
    return result.ok ? success({ ...result.data, data: undefined }) : result;
  }

  async function data<T>(sent: Promise<Result<Confirmed<T>>>): Promise<Result<T>> {
    const result = await sent;
    return result.ok ? success(result.data.data) : result;
  }

  const account: AccountCalls = {
    async accountSettings() {
      const [info, mobile] = await Promise.all([reads.info(), reads.mobile()]);
      if (!info.ok) return info;
      // If its setting can't be read, mobile registration is not offered; email always is.
      return success({ ...info.data, mobile: mobile.ok && mobile.data });
    },
    areas: reads.areas,
    captcha: reads.captcha,
    signIn: (form, captcha, second) => enter(calls.signIn(http, form, captcha, second)),
    enrolSecondFactor: () => data(security.enrol()),
    async confirmSecondFactor(code) {
      const result = await data(security.confirm(code));
      if (result.ok) options.userChanged({ secondFactor: true });
      return result;
    },
    async removeSecondFactor(code) {
      const result = await done(security.remove(code));
      if (result.ok) options.userChanged({ secondFactor: false });
      return result;
    },
    async devices() {
      await options.ready;
      return security.devices();
    },
    endDevice: (id) => done(security.endDevice(id)),
    endOtherDevices: () => done(security.endOthers()),
    exportData: (password) => data(security.exportData(password)),
    async closeAccount(password) {
      const result = await done(security.close(password));
      if (result.ok) options.signedOut();
      return result;
    },
    register: (registration) => enter(calls.register(http, registration)),
    resetPassword: (form) => done(calls.forgetPassword(http, form)),
    changePassword: (form) => done(calls.amendPassword(http, form)),
    async complaintEmail() {
      const result = await reads.complaintEmail();
      const url = options.complaintUrl();
      if (result.ok || !url) return result;
      const email = await calls.foreignComplaintEmail(http, url);
      return email === undefined ? result : success(email);
    },
    signInDemo: createDemoLogin(http, storage, signedIn),
    uploadPicture: uploads.upload,
    cancelUpload: uploads.cancel,
    async verification() {
      await options.ready;
      return reads.verification();
    },
    async submitVerification(form, key) {
      const result = await done(calls.submitVerification(requests, form, key));
      if (result.ok) await options.forgetDraft();
      return result;
    },
  };

  return { calls: account, cancelUploads: uploads.cancelAll };
}
